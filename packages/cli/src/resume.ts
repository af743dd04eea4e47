import { existsSync } from "node:fs";
import { type Game, isExact, mostPointsToCome } from "@gridlock/game";
import {
  type LoadedBatches,
  type LocalPool,
  loadBounds,
  loadSnapshot,
  type StartBound,
  snapshotIdentity,
} from "@gridlock/solver";
import { type Database, SnapshotFile } from "@gridlock/store";
import { formatAge, formatBytes, formatCount } from "./format.js";

/** What earlier runs have left for a table. */
export interface Found {
  readonly batches: LoadedBatches;
  /** What was found, in words; `undefined` when it was nothing. */
  readonly description: string | undefined;
}

/** Puts what earlier runs have left into a pool's table. */
export async function resume(
  game: Game,
  known: readonly StartBound[],
  pool: LocalPool,
  database: Database,
  snapshotFile: string,
): Promise<Found> {
  const bounds = loadBounds(pool.kernel, database.bounds(game));
  const { batches, description } = await resumeSnapshot(game, pool, snapshotFile);
  if (bounds === 0 && description === undefined) return { batches, description };
  const solved = known.filter(({ bound }) => isExact(bound)).length;
  const narrowed = known.filter(
    ({ board, bound: { lo, hi } }) => lo < hi && (lo > 0 || hi < mostPointsToCome(board)),
  ).length;
  const windows = narrowed > 0 ? `${narrowed} narrowed window${narrowed === 1 ? "" : "s"}, ` : "";
  const stored = `${solved} values, ${windows}${formatCount(bounds)} bounds in ${database.file}`;
  return { batches, description: [stored, description].filter(Boolean).join("; ") };
}

async function resumeSnapshot(game: Game, pool: LocalPool, file: string): Promise<Found> {
  const none = { batches: { last: 0, entries: 0, inParts: 0 }, description: undefined };
  if (!existsSync(file)) return none;
  const snapshot = SnapshotFile.open(file);
  try {
    const batches = await loadSnapshot(pool, snapshot, snapshotIdentity(game));
    const summary = snapshot.summary();
    if (summary === undefined) return none;
    const { entries, bytes, written } = summary;
    return {
      batches,
      description: `${formatCount(entries)} entries (${formatBytes(bytes)}) in ${file}, saved ${formatAge(written)}`,
    };
  } finally {
    snapshot.close();
  }
}
