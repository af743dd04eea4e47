import { type Board, describeGame, type Game, isExact } from "@gridlock/game";
import { createTable, Kernel } from "@gridlock/kernel";
import { formatBytes, formatCount } from "@gridlock/report";
import {
  type Effort,
  LocalPool,
  LoggedRun,
  proveLines,
  proveOpenings,
  type SavedWork,
  type SnapshotOptions,
  type StartBound,
  solveAndSave,
} from "@gridlock/solver";
import { type Database, MEMORY, snapshotFileOf } from "@gridlock/store";
import { tooDeep } from "../exit.js";
import { stopAfter, waitingUntil, watchInterrupts } from "../interrupt.js";
import { runLabel } from "../machine.js";
import { tableMemory } from "../options/memory.js";
import { tell } from "../output/display.js";
import { showProgress } from "../output/progress.js";
import { printError } from "../output/visible.js";
import { resume } from "./solve-resume.js";

/** Options of `gridlock solve` on one machine. */
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
  using run = new LoggedRun(game, database, pool, runLabel(options));
  announce(game, known, flags);
  const solved = await solveUntilStopped(game, known, database, pool, run, flags);
  // All is saved: from here on Ctrl-C simply ends the process.
  const { state } = solved;
  if (isSolved(state)) {
    const waiting = { onWait: printError };
    await proveLines(game, state, database, pool.kernel, waiting);
    await proveOpenings(game, state, database, pool.kernel, waiting);
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
  const { state, saved } = await resumeAndSave(game, known, database, pool, run, flags, signal);
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
async function resumeAndSave(
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
  const found = await resume(game, known, pool, database, { snapshotFile, quiet, signal: stop });
  if (found.description) tell(flags, `resuming from ${found.description}`);
  using display = quiet ? undefined : showProgress(game, known, pool, stop, run.before);
  return await solveAndSave(game, database, pool, {
    ...{ keeping, batches: found.batches, signal: stop },
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
    ...(flags.guess === undefined ? {} : { guess: flags.guess }),
    ...(flags.only && { only: [flags.only] }),
    lowerBounds: flags.lowerBounds === true,
    onProgress: (progress) => display?.update(progress),
    onSearched: () => {
      run.stop();
      display?.stop();
    },
    waiting: waitingUntil({ signal: stop }),
  });
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
