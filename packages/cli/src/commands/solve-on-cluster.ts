import { Coordinator, type RedisOptions } from "@gridlock/cluster";
import { describeGame, type Game } from "@gridlock/game";
import { LoggedRun, openStarts, solve } from "@gridlock/solver";
import { type Database, patiently, type Waiting } from "@gridlock/store";
import { metricsFor, openService } from "../cluster-service.js";
import { waitingUntil, watchInterrupts } from "../interrupt.js";
import { runLabel } from "../machine.js";
import { showWork } from "../output/display.js";
import { tell } from "../output/print.js";
import { searchStanding } from "../output/standings.js";
import { type SolveFlags, type SolveResult, STOPPING } from "./solve-flags.js";
import { isSolved } from "./solve-here.js";

/** Solves the open starts with the workers of a Redis server, until all are solved or Ctrl-C. */
export async function solveOnCluster(
  game: Game,
  database: Database,
  redis: RedisOptions,
  flags: SolveFlags,
): Promise<SolveResult> {
  const { seed, guess, prefix } = flags;
  const log = await openService(redis, flags);
  const bounds = database.bounds(game);
  await using coordinator = await Coordinator.open({
    redis,
    game,
    log,
    known: (node) => bounds.get(node),
    save: (proven) => patiently(database.file, () => bounds.merge(proven), waiting),
  });
  await using _metrics = await metricsFor(flags, coordinator);
  const known = openStarts(game, database);
  const label = runLabel({ clusterRun: coordinator.id, fresh: flags.fresh });
  using run = new LoggedRun(game, database, coordinator, label);
  using watch = watchInterrupts(STOPPING, flags.for);
  const { signal } = watch;
  const waiting: Waiting = waitingUntil(watch);
  signal.addEventListener("abort", () => coordinator.stop());
  coordinator.before = run.before;
  tell(
    flags,
    `${describeGame(game)}: ${known.length} starts, workers at ${prefix} on Redis, ${database.file}`,
  );
  const { quiet } = flags;
  const standing = searchStanding(game, known, coordinator, run.before);
  using display = showWork(describeGame(game), "starts", standing.look, { signal, quiet });
  const state = await solve(game, database, coordinator, {
    seed,
    guess,
    waiting,
    onProgress: (agenda, questions) => {
      coordinator.progress(agenda, questions);
      standing.update(agenda.starts);
    },
  });
  display.stop();
  const isDone = isSolved(state);
  const spent = await run.end(isDone ? "solved" : "stopped", waiting);
  if (isDone) await coordinator.proveLines(state);
  return { state, spent, interrupted: watch.isInterrupted() };
}
