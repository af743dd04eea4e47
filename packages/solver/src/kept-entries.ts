import type { Game } from "@gridlock/game";
import { type Kernel, kernelVersion, RECORD_BYTES } from "@gridlock/kernel";
import {
  type Database,
  type NewBatch,
  patiently,
  StoreError,
  type StoreErrorCode,
  type Waiting,
} from "@gridlock/store";

/**
 * About the most entries to keep, of nine bytes each: 45 MB. On 2×6 half of the boards after weak
 * slides then settle within 300 ms, in place of 28 %; twice the file settles 60 %
 * (`docs/search.md`, "Boards off the best lines").
 */
const MOST_KEPT = 5_000_000;
/** Batches in which they are stored, each a range of keys. */
const BATCHES = 64;
/** Number of equal parts of the table of which one is counted; keys are mixed, so all are alike. */
const COUNTED = 16;

/** Codes of errors that leave the database as it was: a full disk, or one that refuses to write. */
const NO_ROOM: readonly StoreErrorCode[] = ["full", "unusable", "read-only"];

/**
 * Stores the costliest entries of the table that solved a game in its database, in place of earlier
 * ones. Later searches for boards off the best lines start from them. They only save time: where
 * they cannot be stored, as on a full disk, earlier ones stay.
 *
 * @param most about the most entries to store; all of the same cost are stored, or none
 * @returns the error that kept them from being stored
 */
export async function storeEntries(
  game: Game,
  database: Database,
  kernel: Kernel,
  waiting: Waiting,
  most = MOST_KEPT,
): Promise<StoreError | undefined> {
  const minEffort = leastEffort(kernel, most);
  const keep = () =>
    database.entries(game).replace(kernelVersion(game.shape), batches(kernel, minEffort));
  try {
    await patiently(database.file, keep, waiting);
    return undefined;
  } catch (error) {
    if (error instanceof StoreError && NO_ROOM.includes(error.code)) return error;
    throw error;
  }
}

/** Loads the entries that a solve has kept into a table. */
export function loadEntries(game: Game, database: Database, kernel: Kernel): void {
  for (const batch of database.entries(game).batches(kernelVersion(game.shape))) {
    kernel.records.unpack([batch]);
  }
}

/** Returns the least effort at or above which a table has about `most` entries or fewer. */
function leastEffort(kernel: Kernel, most: number): number {
  const counts = kernel.records.countByEffort(COUNTED);
  let kept = 0;
  for (let effort = counts.length - 1; effort > 0; effort--) {
    kept += COUNTED * (counts[effort] as number);
    if (kept > most) return effort + 1;
  }
  return 1;
}

function* batches(kernel: Kernel, minEffort: number): Generator<NewBatch> {
  for (let i = 0; i < BATCHES; i++) {
    const records = Buffer.concat([...kernel.records.read(minEffort, i, BATCHES)]);
    const entries = records.length / RECORD_BYTES;
    yield { data: kernel.records.packInOrder(records), entries };
  }
}
