import { addAbortListener } from "node:events";
import { type Board, type Game, isExact } from "@gridlock/game";
import { BUCKET_ENTRIES } from "@gridlock/kernel";
import { type Database, type StoreError, snapshotFileOf, type Waiting } from "@gridlock/store";
import type { StartBound } from "./agenda.js";
import { proveLines } from "./best-play.js";
import { isQuick } from "./estimate.js";
import { storeEntries } from "./kept-entries.js";
import { type Effort, LoggedRun, type RunLabel } from "./logged-run.js";
import { isReached, type LowerBounds } from "./lower-bounds.js";
import { LocalPool, type PoolOptions } from "./pool.js";
import type { SavedWork, SnapshotOptions } from "./snapshots.js";
import { type SolveOptions, solve } from "./solve.js";
import { type Warmed, type WarmProgress, warmTable } from "./warming.js";

/** A solve with threads of this machine. */
export interface HereOptions
  extends Omit<SolveOptions, "only" | "onProgress" | "lowerBounds">,
    Pick<SnapshotOptions, "every"> {
  readonly pool: PoolOptions;
  /** The run's origin and settings, for the log of runs. */
  readonly label: RunLabel;
  /** The only start to solve, in canonical form (default: all of the game). */
  readonly only?: Board | undefined;
  /** Only raise lower bounds; the table's room is known. */
  readonly lowerBounds?: Omit<LowerBounds, "entries"> | undefined;
  /** Stops the search; what is proven is saved. */
  readonly signal: AbortSignal;
  readonly waiting: Waiting;
  readonly events: HereEvents;
}

/** Functions that are called, in this order, as a solve goes on. */
interface HereEvents {
  /** @param before nodes that earlier runs have expanded */
  onBegin(pool: LocalPool, before: number): void;
  onWarming?(progress: WarmProgress): void;
  /** The table has been made and filled; the search begins. */
  onWarmed(warmed: Warmed): void;
  onProgress(starts: readonly StartBound[]): void;
  /** The search has ended; the rest is saved. */
  onSearched?(): void;
  /** All is solved and saved; lines of best play are proven. */
  onSolved(): void;
}

/** The result of a solve. */
export interface SolvedHere {
  readonly state: readonly StartBound[];
  readonly spent: Effort;
  readonly saved: SavedWork;
  /** The error that kept the costliest entries of the table from being stored. */
  readonly notKept: StoreError | undefined;
}

/**
 * Solves the open starts of a game until all are solved or the signal aborts: resumes from what is
 * stored, and saves what is learned on the way and, also after an error, at the end. Once all
 * starts are solved, proves lines of best play, for some seconds; their snapshot, which would find
 * them again, is left to the caller.
 *
 * @throws {RangeError} if the table cannot be created, or the search needs a deeper stack than
 *   threads have
 * @throws {StoreError} if the database or the snapshot cannot be used
 */
export async function solveHere(
  game: Game,
  database: Database,
  { pool: options, label, only, lowerBounds, signal, waiting, events, ...how }: HereOptions,
): Promise<SolvedHere> {
  await using pool = new LocalPool(game, options);
  using run = new LoggedRun(game, database, pool, label);
  using _stop = addAbortListener(signal, () => pool.stop());
  events.onBegin(pool, run.before);
  events.onWarmed(
    await warmTable(pool, game, database, (progress) => events.onWarming?.(progress)),
  );
  const { state, saved } = await search(game, database, pool, {
    ...how,
    ...(only && { only: [only] }),
    ...(lowerBounds && {
      lowerBounds: { ...lowerBounds, entries: BUCKET_ENTRIES * pool.table.buckets },
    }),
    signal,
    waiting,
    onProgress: ({ starts }) => events.onProgress(starts),
    onSearched() {
      run.stop();
      events.onSearched?.();
    },
  });
  const isSolved = state.every(({ bound }) => isExact(bound));
  const spent = await run.end(isSolved && only === undefined ? "solved" : "stopped", waiting);
  if (!isSolved) {
    if (!(signal.aborted || isReached(state, lowerBounds?.threshold))) throw tooDeep();
    return { state, spent, saved, notKept: undefined };
  }
  events.onSolved();
  await proveLines(game, state, database, pool.kernel, waiting, true);
  const isKept = only === undefined && !isQuick(game.shape);
  const notKept = isKept ? await storeEntries(game, database, pool.kernel, waiting) : undefined;
  return { state, spent, saved, notKept };
}

/** Returns the error of a question that was neither answered nor stopped. */
export function tooDeep(): RangeError {
  return new RangeError("the search went deeper than the stack of a worker thread allows");
}

interface SearchOptions extends SolveOptions, Pick<SnapshotOptions, "every"> {
  readonly signal: AbortSignal;
  readonly onSearched: () => void;
}

/** Solves with a pool until stopped, and saves its findings in the database and the snapshot. */
async function search(
  game: Game,
  database: Database,
  pool: LocalPool,
  { every, signal, onSearched, ...options }: SearchOptions,
): Promise<Pick<SolvedHere, "state" | "saved">> {
  const { file: databaseFile } = database;
  const files = { databaseFile, snapshotFile: snapshotFileOf(databaseFile, game) };
  const snapshots = pool.startSnapshots({ ...files, every }, options.waiting?.onWait);
  using _hurry = addAbortListener(signal, () => snapshots.hurry());
  try {
    const state = await solve(game, database, pool, options);
    onSearched();
    // The snapshot of a solved game is not needed.
    const boundsOnly = !options.only && state.every(({ bound }) => isExact(bound));
    return { state, saved: await snapshots.finish({ boundsOnly }) };
  } catch (error) {
    await snapshots.finish({ boundsOnly: false }).catch(() => {}); // the first error says more
    throw error;
  }
}
