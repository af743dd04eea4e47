import { describeGame, type Game, isExact, mostPointsToCome } from "@gridlock/game";
import { formatAge, formatBytes, formatCount } from "@gridlock/report";
import {
  type LoadedBatches,
  type LocalPool,
  type StartBound,
  type Warmed,
  type WarmingSources,
  warmTable,
} from "@gridlock/solver";
import type { Database, SnapshotSummary } from "@gridlock/store";
import { type Standing, showWork } from "../output/display.js";

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
  { snapshotFile, quiet }: { readonly snapshotFile: string; readonly quiet: boolean },
): Promise<Found> {
  const sources = { bounds: database.bounds(game), snapshotFile };
  const { bounds, batches, summary } = await loadAll(pool, game, sources, quiet);
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

/** Loads everything, and displays the progress. */
async function loadAll(
  pool: LocalPool,
  game: Game,
  sources: WarmingSources,
  quiet: boolean,
): Promise<Warmed> {
  let standing: Standing = { done: 0, total: 0, text: "loading the snapshot" };
  using _display = quiet ? undefined : showWork(describeGame(game), "entries", () => standing);
  return await warmTable(pool, game, sources, ({ loaded, entries }) => {
    standing = { ...standing, done: loaded, total: entries, part: loaded / entries };
  });
}

function describeSnapshot({ entries, bytes, written }: SnapshotSummary, file: string): string {
  return `${formatCount(entries)} entries (${formatBytes(bytes)}) in ${file}, saved ${formatAge(written)}`;
}
