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
import { createTable, Kernel } from "@gridlock/kernel";
import {
  LocalPool,
  loadBounds,
  openStarts,
  poolThreads,
  type Question,
  type StartBound,
  solve,
} from "@gridlock/solver";
import type { Database } from "@gridlock/store";
import { metricsFor, patience } from "../cluster-service.js";
import { watchInterrupts } from "../interrupt.js";
import { beginRun, type Effort } from "../logged-run.js";
import { redisOf, type ServiceFlags } from "../options/cluster.js";
import { tableMemory } from "../options/options.js";
import { tell } from "../output/display.js";
import { loggerOf } from "../output/logger.js";
import { type ProgressDisplay, showProgress } from "../output/progress.js";

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

/** What a run over many machines has come to. */
export interface ClusterSolve {
  readonly state: readonly StartBound[];
  readonly spent: Effort;
  readonly interrupted: boolean;
}

/** Solves what is open with the workers that a Redis server joins, until all is solved or Ctrl-C. */
export async function solveOnCluster(
  game: Game,
  database: Database,
  sharing: Sharing,
  flags: ClusterSolveFlags,
): Promise<ClusterSolve> {
  const redis = redisOf(flags);
  const log = loggerOf(flags);
  await checkServer(redis, patience(log));
  const { audit, seed, guess, budget } = flags;
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
  const run = beginRun(game, database, coordinator, options);
  let display: ProgressDisplay | undefined;
  const watch = watchInterrupts(() => {
    display?.stop();
    coordinator.stop();
  }, "stopping after saving what is proven; Ctrl-C again stops at once");
  try {
    let state: readonly StartBound[];
    for (;;) {
      const known = openStarts(game, database);
      coordinator.progress(known, 0);
      tell(
        flags,
        `${describeGame(game)}: ${known.length} starts, workers at ${redis.prefix} on Redis, ${database.file}`,
      );
      if (!flags.quiet) display = showProgress(describeGame(game), known, coordinator);
      try {
        state = await solve(game, database, coordinator, {
          ...(seed === undefined ? {} : { seed }),
          ...(guess === undefined ? {} : { guess }),
          onProgress: (progress) => {
            coordinator.progress(progress.starts, progress.questions);
            display?.update(progress);
          },
        });
        const unaudited = await coordinator.finishAudits();
        if (unaudited > 0) {
          tell(
            flags,
            `${unaudited} answers were not proven again, since there was no other worker to do it`,
          );
        }
        break;
      } catch (error) {
        if (!(error instanceof ClusterError && error.code === "shut-out")) throw error;
        // What it has told may be anywhere by now.
        display?.stop();
        console.error(
          `warning: ${error.message}; what is known of ${describeGame(game)} is proven anew`,
        );
        database.forget(game);
        if (!watch.interrupted) coordinator.beginAnew();
      }
    }
    display?.stop();
    const done = state.every(({ bound }) => isExact(bound));
    const spent = run.end(done ? "solved" : "stopped");
    return { state, spent, interrupted: watch.interrupted };
  } catch (error) {
    run.fail();
    throw error;
  } finally {
    display?.stop();
    run.stop();
    watch.end();
  }
}

/** Proves an answer on this machine, with a table of its own. */
async function proveHere(
  game: Game,
  question: Question,
  { workers, memory }: ClusterSolveFlags,
): Promise<Bound> {
  const pool = new LocalPool(game, {
    workers,
    memory: tableMemory(game, poolThreads(workers), memory),
  });
  try {
    const bound = await pool.ask(question);
    if (bound === undefined) throw new Error("the answer could not be proven again here");
    return bound;
  } finally {
    await pool[Symbol.asyncDispose]();
  }
}

/** A kernel on this machine that knows what the database holds, for lines of best play. */
export function kernelHere(game: Game, database: Database): Kernel {
  const kernel = new Kernel(createTable(game, tableMemory(game, 1, undefined), 1), 0);
  loadBounds(kernel, database.bounds(game));
  return kernel;
}
