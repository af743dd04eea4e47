import { type Game, isExact } from "@gridlock/game";
import { type Database, snapshotFileOf } from "@gridlock/store";
import type { LocalPool } from "./pool.js";
import type { SavedWork, SnapshotOptions } from "./snapshots.js";
import { type SolveOptions, type StartBound, solve } from "./solve.js";

/** Options of a solve that saves what it learns. */
export interface SavingOptions extends SolveOptions, Pick<SnapshotOptions, "every" | "effort"> {
  /** Stops saves from waiting for locked files. The caller has to stop the pool. */
  readonly signal: AbortSignal;
  /** Called when the search has ended, before the rest is saved. */
  readonly onSearched?: () => void;
}

/**
 * Solves a game with a pool until all is solved or the pool is stopped. Saves what it learns, in the
 * database and in the snapshot beside it, on the way and, also after an error, at the end.
 */
export async function solveAndSave(
  game: Game,
  database: Database,
  pool: LocalPool,
  { every, effort, signal, onSearched, ...options }: SavingOptions,
): Promise<{ readonly state: readonly StartBound[]; readonly saved: SavedWork }> {
  const { file: databaseFile } = database;
  const files = { databaseFile, snapshotFile: snapshotFileOf(databaseFile, game) };
  const snapshots = pool.keep({ ...files, every, effort }, options.waiting?.onWait);
  const hurry = () => snapshots.hurry();
  signal.addEventListener("abort", hurry);
  try {
    if (signal.aborted) hurry();
    const state = await solve(game, database, pool, options);
    onSearched?.();
    // The snapshot of a solved game is not needed.
    const boundsOnly = !options.only && state.every(({ bound }) => isExact(bound));
    return { state, saved: await snapshots.finish({ boundsOnly }) };
  } catch (error) {
    await snapshots.finish({ boundsOnly: false }).catch(() => {}); // the first error says more
    throw error;
  } finally {
    signal.removeEventListener("abort", hurry);
  }
}
