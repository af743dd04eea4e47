import { describeGame, type Game, isExact, mostPointsToCome } from "@gridlock/game";
import { formatAge, formatBytes, formatCount } from "@gridlock/report";
import {
  type LoadedBatches,
  type LocalPool,
  type StartBound,
  type Warmed,
  type WarmingSources,
  type WarmProgress,
  warmTable,
} from "@gridlock/solver";
import type { Database, SnapshotSummary } from "@gridlock/store";
import { showWork } from "../output/display.js";
import { warmingStanding } from "../output/warming-standing.js";

/** The results of earlier runs, loaded into a table. */
export interface Found {
  readonly batches: LoadedBatches;
  /** A description of the results; `undefined` when there were none. */
  readonly description: string | undefined;
}

interface ResumeOptions {
  readonly snapshotFile: string;
  readonly quiet: boolean;
  /** Stops the display; the pool has to be stopped by the caller. */
  readonly signal: AbortSignal;
}

/** Makes a pool's table, and loads the results of earlier runs into it. */
export async function resume(
  game: Game,
  known: readonly StartBound[],
  pool: LocalPool,
  database: Database,
  options: ResumeOptions,
): Promise<Found> {
  const { snapshotFile } = options;
  const sources = { bounds: database.bounds(game), snapshotFile };
  const { bounds, batches, summary } = await loadAll(pool, game, sources, options);
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

/** Makes the table, loads everything, and displays the progress. */
async function loadAll(
  pool: LocalPool,
  game: Game,
  sources: WarmingSources,
  { quiet, signal }: ResumeOptions,
): Promise<Warmed> {
  let latest: WarmProgress | undefined;
  const look = () => warmingStanding(latest);
  using _display = quiet ? undefined : showWork(describeGame(game), "entries", look, { signal });
  return await warmTable(pool, game, sources, (progress) => {
    latest = progress;
  });
}

function describeSnapshot({ entries, bytes, written }: SnapshotSummary, file: string): string {
  return `${formatCount(entries)} entries (${formatBytes(bytes)}) in ${file}, saved ${formatAge(written)}`;
}
