import {
  type Board,
  describeGame,
  formatBoard,
  type Game,
  normalShape,
  packBoard,
  starts,
} from "@gridlock/game";
import { formatCount, formatSeconds, formatTable } from "@gridlock/report";
import { LocalPool } from "@gridlock/solver";
import { EXIT, tooDeep } from "../exit.js";
import { watchInterrupts } from "../interrupt.js";
import { expectTile } from "../options/game.js";
import { gameAsJson } from "../output/json.js";
import { asAsked } from "../output/solution.js";
import { printLine } from "../output/stdout.js";

export interface GoalFlags {
  readonly workers: number;
  /** Bytes of the table. */
  readonly tableBytes: number;
  readonly json?: true;
  readonly quiet?: true;
}

/**
 * Finds for each start whether the slider can force a tile, and prints the answers. Databases hold scores, so this uses
 * none.
 */
export async function solveGoal(
  game: Game,
  tile: number,
  { workers, tableBytes, json, quiet }: GoalFlags,
): Promise<number> {
  expectTile(game, tile);
  await using pool = new LocalPool(game, { workers, memory: tableBytes, goal: tile });
  using watch = watchInterrupts("stopping; nothing is saved");
  watch.signal.addEventListener("abort", () => pool.stop());
  const began = performance.now();
  const answers: { board: Board; forced: boolean }[] = [];
  const boards = starts(normalShape(game.shape));
  for (const [i, board] of boards.entries()) {
    if (!quiet)
      console.error(`${describeGame(game)}, tile ${tile}: start ${i + 1} of ${boards.length}`);
    const bound = await pool.ask({ turn: "slider", board: packBoard(board), threshold: 4 });
    if (bound === undefined) {
      if (watch.signal.aborted) return EXIT.interrupted;
      throw tooDeep();
    }
    answers.push({ board: asAsked(game, board), forced: bound.lo >= 4 });
  }
  const nodes = pool.counts();
  const seconds = (performance.now() - began) / 1000;
  if (json) {
    const starts = answers.map(({ board, forced }) => ({ board: formatBoard(board), forced }));
    printLine(JSON.stringify({ ...gameAsJson(game), goal: { tile }, starts, nodes, seconds }));
    return EXIT.ok;
  }
  const rows = answers.map(({ board, forced }) => [formatBoard(board), forced ? "yes" : "no"]);
  printLine(formatTable(["start", `a tile of ${tile} can be forced`], rows));
  if (!quiet) {
    const forced = answers.filter((answer) => answer.forced).length;
    console.error(
      `\n${forced} of ${answers.length} starts: ${formatCount(nodes.positions)} positions and ${formatCount(nodes.afterstates)} afterstates in ${formatSeconds(seconds)}`,
    );
  }
  return EXIT.ok;
}
