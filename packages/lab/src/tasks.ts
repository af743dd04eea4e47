import { formatBoard, type Game, parseBoard } from "@gridlock/game";
import type { PaperSearchResult, PaperTable2Output, PaperTable3Output } from "@gridlock/schemas";
import { MOVE_ORDERS, type MoveOrder } from "./paper/move-order.js";
import { PaperSearch } from "./paper/search.js";
import type { Techniques } from "./paper/techniques.js";

/*
 * The tasks that experiments run in worker threads. Every function takes one argument and returns
 * one result, both of which can be copied between threads.
 */

/** Searches of one board to several depths, each with a table of its own. */
interface DepthsTask {
  readonly game: Game;
  readonly techniques: Techniques;
  readonly order?: MoveOrder;
  readonly board: string;
  readonly depths: readonly number[];
  readonly mostNodes?: number;
}

/** Searches one board to each depth, up to the first search that runs out of nodes. */
export function searchDepths(task: DepthsTask): PaperSearchResult[] {
  const search = new PaperSearch(task.game, task.techniques, task.order);
  const results: PaperSearchResult[] = [];
  for (const depth of task.depths) {
    const result = search.run(parseBoard(task.board), depth, { mostNodes: task.mostNodes });
    results.push(result);
    if (result.value === undefined) break;
  }
  return results;
}

/** The fewest and the most nodes of a search to one depth, over all orders of moves. */
export type OrderSpread = PaperTable3Output["rows"][number]["allOrders"]["ours"];

/** Searches one board to each depth in every order of moves. */
export function searchInAllOrders(task: Omit<DepthsTask, "order" | "mostNodes">): OrderSpread[] {
  const counts = MOVE_ORDERS.map((order) =>
    searchDepths({ ...task, order }).map(({ nodes }) => nodes.positions + nodes.afterstates),
  );
  return task.depths.map((depth, i) => {
    const nodes = counts.map((count) => count[i] as number);
    return { depth, fewest: Math.min(...nodes), most: Math.max(...nodes) };
  });
}

/** Searches of several boards to the end of the game. */
interface BoardsTask extends Pick<DepthsTask, "game" | "techniques"> {
  readonly boards: readonly string[];
}

/** A search to the end of the game, and the end state of a line of best play. */
type BoardResult = PaperTable2Output["rows"][number]["ours"];

/** Searches each board to the end of the game. */
export function searchBoards(task: BoardsTask): BoardResult[] {
  const search = new PaperSearch(task.game, task.techniques);
  return task.boards.map((text) => {
    const node = parseBoard(text);
    const result = search.run(node, Number.POSITIVE_INFINITY);
    return { board: text, ...result, end: formatBoard(search.endState(node)) };
  });
}

export { examineBound } from "./paper/bound.js";
export { tryFootnote } from "./paper/footnote.js";
export { findForced } from "./paper/forced.js";
