import { setImmediate } from "node:timers/promises";
import { Library } from "@gridlock/answers";
import {
  type Board,
  describeGame,
  formatBoard,
  type Game,
  isExact,
  type Node,
} from "@gridlock/game";
import { formatCount } from "@gridlock/report";
import type { AnalyzeBoardOutput } from "@gridlock/schemas";
import { type PerfectPlay, PerfectPlays } from "@gridlock/tablebase";
import { positionOf } from "../options/boards.js";
import { queryMemory } from "../options/memory.js";
import { perfectAsJson } from "../output/analyze-report.js";
import { showWork } from "../output/display.js";
import { gameAsJson } from "../output/json.js";
import { printJson, printLine } from "../output/stdout.js";
import { printError } from "../output/visible.js";

/** Most seconds of the search for one value. The first takes longest: later ones find its table. */
const BUDGET_S = 60;

/** Milliseconds of walking between two looks at what else there is to do, such as to display progress. */
const TURN_MS = 50;

/** Follows perfect play from one position, with values from the files beside the database and otherwise from search. */
export async function analyzeBoard(
  game: Game,
  text: string,
  { db, quiet, json }: { readonly db: string; readonly quiet?: true; readonly json?: true },
): Promise<void> {
  const board = positionOf(game.shape, text);
  using library = new Library({
    ...{ db, published: false },
    tableBytes: (of) => queryMemory(of, undefined),
    warn: printError,
  });
  const worthOf = (node: Node): number => {
    const { bound } = library.worth({ ...node, tiles: game.tiles, budget: BUDGET_S });
    if (isExact(bound)) return bound.lo;
    throw new Error(
      `the value of ${formatBoard(node.board, node.turn)} was not found in ${BUDGET_S} seconds; run gridlock solve or gridlock tabulate first`,
    );
  };
  const perfect = await walkShown(game, new PerfectPlays(game.tiles, worthOf), board, quiet);
  if (json) {
    const asked = { ...gameAsJson(game), board: formatBoard(board) };
    printJson<AnalyzeBoardOutput>({ ...asked, ...perfectAsJson(perfect) });
  } else printLine(wordsOf(board, perfect));
}

/** Walks through perfect play and displays the progress. */
async function walkShown(
  game: Game,
  plays: PerfectPlays,
  board: Board,
  quiet?: true,
): Promise<PerfectPlay> {
  let found = 0;
  const look = () => ({ done: 0, total: 0, text: `${formatCount(found)} positions found` });
  using _display = showWork(describeGame(game), "positions", look, { quiet });
  const walk = plays.walk([board]);
  for (let turned = performance.now(); ; ) {
    const { done, value } = walk.next();
    if (done) return value;
    found = value;
    if (performance.now() - turned < TURN_MS) continue;
    await setImmediate();
    turned = performance.now();
  }
}

function wordsOf(board: Board, { positions, afterstates, ends, endsBy }: PerfectPlay): string {
  const { corner, edge, centre } = endsBy;
  return [
    `From ${formatBoard(board)}, perfect play visits ${formatCount(positions)} positions and ${formatCount(afterstates)} afterstates.`,
    `It ends on ${formatCount(ends)} boards: the largest tile lies in a corner on ${formatCount(corner)} of them, on an edge on ${formatCount(edge)}, and inside on ${formatCount(centre)}.`,
  ].join("\n");
}
