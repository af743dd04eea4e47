import { type Game, isExact, mostPointsToCome } from "@gridlock/game";
import { formatAge, formatBytes, formatCount } from "@gridlock/report";
import { type LoadedBatches, type LocalPool, type StartBound, warmTable } from "@gridlock/solver";
import type { Database, SnapshotSummary } from "@gridlock/store";

/** The results of earlier runs, loaded into a table. */
export interface Found {
  readonly batches: LoadedBatches;
  /** A description of the results; `undefined` when there were none. */
  readonly description: string | undefined;
}

/** Loads the results of earlier runs into a pool's table. */
export async function resume(
  game: Game,
  known: readonly StartBound[],
  pool: LocalPool,
  database: Database,
  snapshotFile: string,
): Promise<Found> {
  const sources = { bounds: database.bounds(game), snapshotFile };
  const { bounds, batches, summary } = await warmTable(pool, game, sources);
  const description = summary && describeSnapshot(summary, snapshotFile);
  if (bounds === 0 && description === undefined) return { batches, description };
  const solved = known.filter(({ bound }) => isExact(bound)).length;
  const narrowed = known.filter(
    ({ board, bound: { lo, hi } }) => lo < hi && (lo > 0 || hi < mostPointsToCome(board)),
  ).length;
  const windows = narrowed > 0 ? `${narrowed} narrowed window${narrowed === 1 ? "" : "s"}, ` : "";
  const stored = `${solved} values, ${windows}${formatCount(bounds)} bounds in ${database.file}`;
  return { batches, description: [stored, description].filter(Boolean).join("; ") };
}

function describeSnapshot({ entries, bytes, written }: SnapshotSummary, file: string): string {
  return `${formatCount(entries)} entries (${formatBytes(bytes)}) in ${file}, saved ${formatAge(written)}`;
}
