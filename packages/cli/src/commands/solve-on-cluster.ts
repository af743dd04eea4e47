import { Coordinator, checkServer } from "@gridlock/cluster";
import { type Bound, describeGame, type Game, isExact } from "@gridlock/game";
import {
  LocalPool,
  LoggedRun,
  openStarts,
  poolThreads,
  type Question,
  solve,
} from "@gridlock/solver";
import type { Database } from "@gridlock/store";
import { loggerOf, metricsFor, patience } from "../cluster-service.js";
import { stopAfter, waitingUntil, watchInterrupts } from "../interrupt.js";
import { runLabel } from "../machine.js";
import { redisOf } from "../options/cluster.js";
import { tableMemory } from "../options/memory.js";
import { tell } from "../output/display.js";
import { showProgress } from "../output/progress.js";
import type { SolveFlags, SolveResult } from "./solve-flags.js";

/** Options of `gridlock solve --redis`. */
type ClusterSolveFlags = SolveFlags & { readonly redis: string };

/** Solves the open starts with the workers of a Redis server, until all are solved or Ctrl-C. */
export async function solveOnCluster(
  game: Game,
  database: Database,
  flags: ClusterSolveFlags,
): Promise<SolveResult> {
  const { seed, guess, prefix } = flags;
  const check = flags.check === true;
  const log = loggerOf(flags);
  const redis = redisOf(flags);
  await checkServer(redis, patience(log));
  const judge = (question: Question) => proveHere(game, question, flags);
  await using coordinator = await Coordinator.open({ redis, game, check, judge, log });
  await using _metrics = await metricsFor(flags, coordinator);
  const known = openStarts(game, database);
  const label = runLabel({
    check,
    clusterRun: coordinator.id,
    ...(flags.fresh && { fresh: true }),
  });
  using run = new LoggedRun(game, database, coordinator, label);
  using watch = watchInterrupts("stopping after saving what is proven; Ctrl-C again stops at once");
  using stop = stopAfter(flags.for, watch.signal);
  const { signal } = stop;
  const waiting = waitingUntil(stop);
  signal.addEventListener("abort", () => coordinator.stop());
  coordinator.progress(known, 0);
  tell(
    flags,
    `${describeGame(game)}: ${known.length} starts, workers at ${prefix} on Redis, ${database.file}`,
  );
  const { quiet } = flags;
  using display = showProgress(game, known, coordinator, { signal, quiet }, run.before);
  const state = await solve(game, database, coordinator, {
    ...(seed === undefined ? {} : { seed }),
    ...(guess === undefined ? {} : { guess }),
    waiting,
    onProgress: (progress) => {
      coordinator.progress(progress.starts, progress.questions);
      display.update(progress);
    },
  });
  display.stop();
  const outcome = state.every(({ bound }) => isExact(bound)) ? "solved" : "stopped";
  const spent = await run.end(outcome, waiting);
  return { state, spent, interrupted: watch.signal.aborted };
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
