import { type Board, describeGame, type Game, isExact, slides } from "@gridlock/game";
import { createTable, Kernel } from "@gridlock/kernel";
import { formatBytes, formatCount } from "@gridlock/report";
import {
  Analyst,
  type FiledBound,
  LocalPool,
  type SavedWork,
  type SnapshotOptions,
  type StartBound,
  solve,
} from "@gridlock/solver";
import { type Database, MEMORY, patiently, snapshotFileOf } from "@gridlock/store";
import { tooDeep } from "../exit.js";
import { stopAfter, waitingUntil, watchInterrupts } from "../interrupt.js";
import { type Effort, LoggedRun } from "../logged-run.js";
import { tableMemory } from "../options/memory.js";
import { tell } from "../output/display.js";
import { showProgress } from "../output/progress.js";
import { solvedStarts } from "../output/solution.js";
import { printError } from "../output/visible.js";
import { resume } from "./solve-resume.js";

export interface LocalSolveFlags {
  readonly db: string;
  readonly workers: number;
  /** Bytes of the process, as given by the user. */
  readonly memory?: number;
  /** Bytes of the table that all workers share. */
  readonly tableBytes: number;
  /** True if everything known of the game was forgotten first. */
  readonly fresh?: true;
  readonly seed?: number;
  readonly guess?: number;
  readonly snapshotEvery: number;
  readonly snapshotEffort: number;
  /** Seconds after which the search stops. */
  readonly for?: number;
  readonly lowerBounds?: true;
  /** The only start to solve, in canonical form. */
  readonly only?: Board;
  readonly withoutBound?: true;
  readonly otherOrder?: true;
  readonly quiet?: true;
}

/** The result of a run on this machine. */
export interface LocalSolve {
  readonly state: readonly StartBound[];
  readonly spent: Effort;
  readonly interrupted: boolean;
}

/** Seconds for proving lines of best play once all is solved; most of them are in the table. */
const LINES_SECONDS = 10;
/** Seconds for proving the values and verdicts of the first moves, most of which are in the table too. */
const OPENINGS_SECONDS = 5;

/** Solves the open starts with threads of this machine until all are solved, the time is up or Ctrl-C; saves the results. */
export async function solveHere(
  game: Game,
  known: readonly StartBound[],
  database: Database,
  flags: LocalSolveFlags,
): Promise<LocalSolve> {
  const { workers, tableBytes, seed, guess } = flags;
  const { withoutBound, otherOrder, lowerBounds } = flags;
  const how = { ...(withoutBound && { withoutBound }), ...(otherOrder && { otherOrder }) };
  const options = {
    ...{ workers, memory: flags.memory ?? tableBytes, ...how },
    ...(lowerBounds && { lowerBounds }),
    ...(flags.fresh && { fresh: true }),
    ...(seed === undefined ? {} : { seed }),
    ...(guess === undefined ? {} : { guess }),
  };
  await using pool = new LocalPool(game, { workers, memory: tableBytes, search: how });
  using run = new LoggedRun(game, database, pool, options);
  announce(game, known, flags);
  const solved = await solveUntilStopped(game, known, database, pool, run, flags);
  // All is saved: from here on Ctrl-C simply ends the process.
  const { state } = solved;
  if (isSolved(state)) {
    await proveLines(game, state, database, pool.kernel);
    await proveOpenings(game, state, database, pool.kernel);
  }
  return solved;
}

/** Solves until all is solved, the time is up or Ctrl-C; records the run's outcome. */
async function solveUntilStopped(
  game: Game,
  known: readonly StartBound[],
  database: Database,
  pool: LocalPool,
  run: LoggedRun,
  flags: LocalSolveFlags,
): Promise<LocalSolve> {
  using watch = watchInterrupts("stopping after saving what is proven; Ctrl-C again stops at once");
  using stop = stopAfter(flags.for, watch.signal);
  const { signal } = stop;
  signal.addEventListener("abort", () => pool.stop());
  const { state, saved } = await solveAndSave(game, known, database, pool, run, flags, signal);
  const outcome = isSolved(state) && flags.only === undefined ? "solved" : "stopped";
  const spent = await run.end(outcome, waitingUntil(stop));
  if (!isSolved(state)) {
    if (!signal.aborted) throw tooDeep();
    const missed =
      saved.missed > 0 ? ` (${formatCount(saved.missed)} not saved: the writer fell behind)` : "";
    if (flags.db !== MEMORY) {
      tell(
        flags,
        `saved ${formatCount(saved.bounds)} bounds and ${formatCount(saved.entries)} entries${missed}; run the same command to resume`,
      );
    }
  }
  return { state, spent, interrupted: watch.signal.aborted };
}

function isSolved(state: readonly StartBound[]): boolean {
  return state.every(({ bound }) => isExact(bound));
}

/**
 * Resumes from what is stored until all is solved or the pool is stopped; saves what is learned on the way.
 *
 * @param stop stops the display; the pool has to be stopped by the caller
 */
async function solveAndSave(
  game: Game,
  known: readonly StartBound[],
  database: Database,
  pool: LocalPool,
  run: LoggedRun,
  flags: LocalSolveFlags,
  stop: AbortSignal,
): Promise<{ state: readonly StartBound[]; saved: SavedWork }> {
  const keeping = snapshotOptions(game, flags);
  const { snapshotFile } = keeping;
  const quiet = flags.quiet === true;
  const found = await resume(game, known, pool, database, { snapshotFile, quiet });
  if (found.description) tell(flags, `resuming from ${found.description}`);
  const waiting = waitingUntil({ signal: stop });
  const snapshots = pool.keep(found.batches, keeping, waiting.onWait);
  stop.addEventListener("abort", () => snapshots.hurry());
  using display = quiet ? undefined : showProgress(game, known, pool, stop, run.before);
  try {
    const state = await solve(game, database, pool, {
      ...(flags.seed === undefined ? {} : { seed: flags.seed }),
      ...(flags.guess === undefined ? {} : { guess: flags.guess }),
      ...(flags.only && { only: [flags.only] }),
      lowerBounds: flags.lowerBounds === true,
      onProgress: (progress) => display?.update(progress),
      waiting,
    });
    run.stop();
    display?.stop();
    return { state, saved: await snapshots.finish({ boundsOnly: isSolved(state) && !flags.only }) };
  } catch (error) {
    await snapshots.finish({ boundsOnly: false }).catch(() => {}); // the first error says more
    throw error;
  }
}

/**
 * Proves a line of best play from each start, for some seconds at most.
 *
 * @param layers bounds of a proof by layers
 */
export async function proveLines(
  game: Game,
  state: readonly StartBound[],
  database: Database,
  kernel: Kernel,
  layers?: FiledBound,
): Promise<void> {
  const bounds = database.bounds(game);
  const analyst = new Analyst(game, bounds, kernel, undefined, layers);
  solvedStarts(game, state, analyst, LINES_SECONDS);
  const fresh = analyst.takeFresh();
  await patiently(database.file, () => bounds.merge(fresh), { onWait: printError });
}

/**
 * Proves the value of each slide from a start and the verdicts on all replies to it, for some seconds at most. The table
 * of the solve has nearly all of that, while a search without it can take as long as the solve.
 */
async function proveOpenings(
  game: Game,
  state: readonly StartBound[],
  database: Database,
  kernel: Kernel,
): Promise<void> {
  const bounds = database.bounds(game);
  const analyst = new Analyst(game, bounds, kernel);
  const deadline = performance.now() + 1000 * OPENINGS_SECONDS;
  for (const start of state) {
    const afterstates = slides(start.board).map(
      ({ board }) => ({ board, turn: "placer" }) as const,
    );
    for (const node of [{ board: start.board, turn: "slider" } as const, ...afterstates]) {
      const left = Math.max(0, (deadline - performance.now()) / 1000);
      analyst.analyse(node, left, undefined, 0);
    }
  }
  const fresh = analyst.takeFresh();
  await patiently(database.file, () => bounds.merge(fresh), { onWait: printError });
}

/** Makes a kernel with a table of its own, for lines of best play after a solve without one. */
export function kernelForLines(game: Game): Kernel {
  return new Kernel(createTable(game, tableMemory(game, 1, undefined), 1), 0);
}

/** Returns what to save during the run, and where. */
function snapshotOptions(
  game: Game,
  flags: LocalSolveFlags,
): SnapshotOptions & { readonly snapshotFile: string } {
  return {
    databaseFile: flags.db,
    snapshotFile: snapshotFileOf(flags.db, game),
    every: flags.snapshotEvery,
    effort: flags.snapshotEffort,
  };
}

/** Prints the game and the resources of the run. */
function announce(game: Game, known: readonly StartBound[], flags: LocalSolveFlags): void {
  const { workers, tableBytes, db } = flags;
  const threads = `${workers} thread${workers === 1 ? "" : "s"}`;
  tell(
    flags,
    `${describeGame(game)}: ${known.length} start${known.length === 1 ? "" : "s"}, ${threads}, ${formatBytes(tableBytes)} of table, ${db}`,
  );
}
