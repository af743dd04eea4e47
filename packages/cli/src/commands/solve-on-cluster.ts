import { ClusterError, Coordinator, checkServer, type Sharing } from "@gridlock/cluster";
import {
  type Bound,
  boundByRules,
  describeGame,
  type Game,
  isExact,
  mergeBounds,
  normalShape,
  unpackBoard,
} from "@gridlock/game";
import {
  LocalPool,
  openStarts,
  poolThreads,
  type Question,
  type StartBound,
  solve,
} from "@gridlock/solver";
import type { Database } from "@gridlock/store";
import { metricsFor, patience } from "../cluster-service.js";
import { watchInterrupts } from "../interrupt.js";
import { type Effort, LoggedRun } from "../logged-run.js";
import { redisOf, type ServiceFlags } from "../options/cluster.js";
import { tableMemory } from "../options/memory.js";
import { tell } from "../output/display.js";
import { loggerOf } from "../output/logger.js";
import { showProgress } from "../output/progress.js";

export interface ClusterSolveFlags extends ServiceFlags {
  readonly redis: string;
  readonly share: number | "off";
  readonly audit: number;
  readonly budget?: number;
  readonly seed?: number;
  readonly guess?: number;
  readonly workers: number;
  readonly memory?: number;
  readonly quiet?: true;
}

/** The result of a run over many machines. */
export interface ClusterSolve {
  readonly state: readonly StartBound[];
  readonly spent: Effort;
  readonly interrupted: boolean;
}

/** Solves the open starts with the workers of a Redis server, until all are solved or Ctrl-C. */
export async function solveOnCluster(
  game: Game,
  database: Database,
  sharing: Sharing,
  flags: ClusterSolveFlags,
): Promise<ClusterSolve> {
  const redis = redisOf(flags);
  const log = loggerOf(flags);
  await checkServer(redis, patience(log));
  const { audit, seed, budget } = flags;
  const bounds = database.bounds(game);
  await using coordinator = await Coordinator.open({
    redis,
    game,
    sharing,
    budget,
    audit,
    seed: seed ?? 0,
    onBound: ({ turn, board }, bound) => {
      const byRules = boundByRules({ turn, board: unpackBoard(normalShape(game.shape), board) });
      bounds.merge([{ turn, board, ...mergeBounds(byRules, bound) }]);
    },
    judge: (question) => proveHere(game, question, flags),
    log,
  });
  await using _metrics = await metricsFor(flags, coordinator);
  const options = { share: flags.share, audit, ...(budget ? { budget } : {}) };
  using run = new LoggedRun(game, database, coordinator, options);
  using watch = watchInterrupts("stopping after saving what is proven; Ctrl-C again stops at once");
  const { signal } = watch;
  signal.addEventListener("abort", () => coordinator.stop());
  let state: readonly StartBound[] | undefined;
  while (state === undefined) {
    state = await solveOnce(game, database, coordinator, flags, signal);
    if (state === undefined && !signal.aborted) coordinator.beginAnew();
  }
  const spent = run.end(state.every(({ bound }) => isExact(bound)) ? "solved" : "stopped");
  return { state, spent, interrupted: signal.aborted };
}

/**
 * Solves what is open until all is solved or `signal` aborts. When a worker has been shut out for a false answer, forgets
 * all bounds of the game, since its false bounds may be anywhere by now, and returns `undefined`.
 */
async function solveOnce(
  game: Game,
  database: Database,
  coordinator: Coordinator,
  flags: ClusterSolveFlags,
  signal: AbortSignal,
): Promise<readonly StartBound[] | undefined> {
  const { seed, guess, prefix } = flags;
  const known = openStarts(game, database);
  coordinator.progress(known, 0);
  tell(
    flags,
    `${describeGame(game)}: ${known.length} starts, workers at ${prefix} on Redis, ${database.file}`,
  );
  using display = flags.quiet
    ? undefined
    : showProgress(describeGame(game), known, coordinator, signal);
  try {
    const state = await solve(game, database, coordinator, {
      ...(seed === undefined ? {} : { seed }),
      ...(guess === undefined ? {} : { guess }),
      onProgress: (progress) => {
        coordinator.progress(progress.starts, progress.questions);
        display?.update(progress);
      },
    });
    const unaudited = await coordinator.finishAudits();
    if (unaudited > 0) {
      tell(flags, `${unaudited} answers were not proven again: there was no other worker`);
    }
    return state;
  } catch (error) {
    if (!(error instanceof ClusterError && error.code === "shut-out")) throw error;
    display?.stop();
    console.error(`warning: ${error.message}; proving ${describeGame(game)} anew`);
    database.forget(game);
    return undefined;
  }
}

/** Proves an answer on this machine, with a table of its own. */
async function proveHere(
  game: Game,
  question: Question,
  { workers, memory }: ClusterSolveFlags,
): Promise<Bound> {
  await using pool = new LocalPool(game, {
    workers,
    memory: tableMemory(game, poolThreads(workers), memory),
  });
  const bound = await pool.ask(question);
  if (bound === undefined) throw new Error("the answer could not be proven again here");
  return bound;
}
