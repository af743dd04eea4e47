import { existsSync } from "node:fs";
import { setImmediate as immediate } from "node:timers/promises";
import type { Game } from "@gridlock/game";
import { type Kernel, kernelVersion } from "@gridlock/kernel";
import {
  type Database,
  SnapshotFile,
  type SnapshotIdentity,
  type SnapshotSummary,
  snapshotFileOf,
} from "@gridlock/store";
import type { StoredBounds } from "./known-bounds.js";
import { COSTLY } from "./table-bounds.js";

/** Milliseconds for which loading may keep the process from everything else. */
const BUSY_MS = 50;

/** Counts of the entries loaded into a table. */
export interface Warmed {
  /** Number of bounds from the database. */
  readonly bounds: number;
  /** The contents of the snapshot; `undefined` if it is missing or empty. */
  readonly summary: SnapshotSummary | undefined;
}

/** Batches of a snapshot loaded into a table. */
export interface LoadedBatches {
  /** Entries of all batches. */
  readonly entries: number;
  /** Entries of the batches that are parts, which have each board once. */
  readonly inParts: number;
  /** The highest number of a batch, or 0 without batches. */
  readonly last: number;
}

/** The progress of loading a snapshot, in entries. */
export interface LoadProgress {
  readonly loaded: number;
  readonly entries: number;
}

/**
 * The progress of warming a table: the bytes of it that the system has provided, then the bounds
 * loaded from the database, then the entries of the snapshot.
 */
export type WarmProgress =
  | { readonly made: number; readonly bytes: number }
  | { readonly bounds: number }
  | LoadProgress;

/** A table that worker threads fill: that of a `LocalPool`. */
interface PoolTable {
  readonly kernel: Kernel;
  loaded: LoadedBatches;
  makeTable(onProgress: (made: number, bytes: number) => void): Promise<void>;
  load(groups: Iterable<readonly Uint8Array[]>, expected: number): Promise<void>;
}

/** Number of batches to load together. */
const LOADED_TOGETHER = 256;

/** Returns the identity of tables that may load a snapshot of this game. */
export function snapshotIdentity(game: Game): SnapshotIdentity {
  return { game, kernel: kernelVersion(game.shape) };
}

/**
 * Loads the results of earlier runs into the table of a pool, after making it: the bounds of the
 * database, then all entries of the snapshot beside it.
 *
 * @throws {StoreError} if the snapshot cannot be used, or belongs to another game or kernel
 */
export async function warmTable(
  table: PoolTable,
  game: Game,
  database: Database,
  onProgress: (progress: WarmProgress) => void = () => {},
): Promise<Warmed> {
  await table.makeTable((made, bytes) => onProgress({ made, bytes }));
  const stored = database.bounds(game);
  const onLoaded = (loaded: number) => onProgress({ bounds: loaded });
  const bounds = await loadBoundsGently(table.kernel, stored, onLoaded);
  const snapshotFile = snapshotFileOf(database.file, game);
  return { bounds, summary: await loadSnapshot(table, game, snapshotFile, onProgress) };
}

/**
 * Loads all entries of a snapshot into a table, and returns the snapshot's contents; no file is an
 * empty snapshot.
 *
 * @param onProgress called while the snapshot is being loaded
 * @throws {StoreError} if the snapshot cannot be used, or belongs to another game or kernel
 */
export async function loadSnapshot(
  table: PoolTable,
  game: Game,
  snapshotFile: string,
  onProgress: (progress: LoadProgress) => void = () => {},
): Promise<SnapshotSummary | undefined> {
  if (!existsSync(snapshotFile)) return undefined;
  using snapshot = SnapshotFile.open(snapshotFile);
  const identity = snapshotIdentity(game);
  snapshot.expect(identity);
  const summary = snapshot.summary();
  const entries = summary?.entries ?? 0;
  onProgress({ loaded: 0, entries });
  let last = 0;
  let loaded = 0;
  let inParts = 0;
  function* groups(): Generator<Uint8Array[]> {
    let group: Uint8Array[] = [];
    for (const batch of snapshot.batches(identity)) {
      last = Math.max(last, batch.id);
      loaded += batch.entries;
      if (batch.part !== null) inParts += batch.entries;
      group.push(batch.data);
      if (group.length < LOADED_TOGETHER) continue;
      yield group;
      onProgress({ loaded, entries });
      group = [];
    }
    if (group.length > 0) yield group;
  }
  await table.load(groups(), entries);
  table.loaded = { last, entries: loaded, inParts };
  return summary;
}

/**
 * Copies stored bounds into a table, and returns their number. In a large table each may be the
 * first on its page of memory, which takes the system a while to provide, so timers run in between.
 */
async function loadBoundsGently(
  kernel: Kernel,
  bounds: StoredBounds,
  onLoaded: (count: number) => void,
): Promise<number> {
  let count = 0;
  onLoaded(count);
  let began = performance.now();
  for (const entry of bounds.all()) {
    kernel.learn({ ...entry, effort: COSTLY });
    count++;
    if (performance.now() - began < BUSY_MS) continue;
    onLoaded(count);
    await immediate();
    began = performance.now();
  }
  return count;
}
