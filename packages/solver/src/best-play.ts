import { type Board, type Game, isExact, packNode, slides } from "@gridlock/game";
import type { Kernel } from "@gridlock/kernel";
import { type BoundEntry, type Database, patiently, type Waiting } from "@gridlock/store";
import type { StartBound } from "./agenda.js";
import { Analyst } from "./analysis.js";
import { NOTHING_STORED } from "./known-bounds.js";

/** Seconds for proving lines of best play once all is solved; most of them are in the table. */
const LINES_SECONDS = 10;
/** Seconds to prove the values and verdicts of the first moves, most of which the table has too. */
const OPENINGS_SECONDS = 5;
/** Seconds for both, of one start. */
const START_SECONDS = 4;

/**
 * Proves a line of best play from each solved start, for some seconds at most, and stores what it
 * proves.
 *
 * @param kernel over the table of a solve or of a proof, which has most of what the lines need
 * @param openings whether to prove also the value of each slide from a start and the verdicts on
 *   all replies to it, for some more seconds: the table of a solve has nearly all of that, while a
 *   search without it can take as long as the solve
 */
export async function proveLines(
  game: Game,
  state: readonly StartBound[],
  database: Database,
  kernel: Kernel,
  waiting: Waiting,
  openings = false,
): Promise<void> {
  const bounds = database.bounds(game);
  const analyst = new Analyst(game, bounds, kernel);
  const storeFresh = async () => {
    const fresh = analyst.drainFresh();
    await patiently(database.file, () => bounds.merge(fresh), waiting);
  };
  const linesUntil = performance.now() + 1000 * LINES_SECONDS;
  for (const { board, bound } of state) {
    if (isExact(bound)) analyst.bestLine({ board, turn: "slider" }, secondsUntil(linesUntil));
  }
  await storeFresh();
  if (!openings) return;
  const openingsUntil = performance.now() + 1000 * OPENINGS_SECONDS;
  for (const { board } of state) analyseOpening(analyst, board, openingsUntil);
  await storeFresh();
}

/**
 * Proves a line of best play from one solved start, the value of each slide from it and the
 * verdicts on all replies, for some seconds at most; returns what it has proven.
 *
 * @param kernel as for {@link proveLines}
 */
export function proveStart(game: Game, { board, bound }: StartBound, kernel: Kernel): BoundEntry[] {
  const start = packNode({ board, turn: "slider" });
  const stored = {
    ...NOTHING_STORED,
    get: (node: typeof start) =>
      node.turn === "slider" && node.board === start.board ? bound : undefined,
  };
  const analyst = new Analyst(game, stored, kernel);
  const deadline = performance.now() + 1000 * START_SECONDS;
  analyst.bestLine({ board, turn: "slider" }, START_SECONDS / 2);
  analyseOpening(analyst, board, deadline);
  return analyst.drainFresh();
}

/** Proves the value of each slide from a start and the verdicts on all replies to it. */
function analyseOpening(analyst: Analyst, start: Board, deadline: number): void {
  const afterstates = slides(start).map(({ board }) => ({ board, turn: "placer" }) as const);
  for (const node of [{ board: start, turn: "slider" } as const, ...afterstates]) {
    analyst.analyse(node, secondsUntil(deadline), undefined, 0);
  }
}

function secondsUntil(deadline: number): number {
  return Math.max(0, (deadline - performance.now()) / 1000);
}
