import {
  type Board,
  canonical,
  type PackedBoard,
  packBoard,
  placements,
  slides,
} from "@gridlock/game";
import { valueOfNode } from "./node-values.js";
import type { Tabulation } from "./tabulation.js";

/** A line of best play by both sides, and its number of slides. */
export interface LongestLine {
  readonly start: Board;
  readonly slides: number;
  readonly end: Board;
}

/** The rest of a longest line. */
type Rest = Omit<LongestLine, "start">;

/**
 * Returns the longest line of best play by both sides from a start: each slide is one of the best,
 * each placement one of the worst for the slider, and among those the line takes the ones that last
 * longest.
 */
export function longestLine(tabulation: Tabulation, start: Board): LongestLine {
  const known = new Map<PackedBoard, Rest>();
  const from = (board: Board): Rest => {
    const form = canonical(board);
    const key = packBoard(form);
    let rest = known.get(key);
    if (rest === undefined) {
      const rests = nextPositions(tabulation, form).map(from);
      const [longest = { slides: -1, end: form }] = rests.sort((a, b) => b.slides - a.slides);
      rest = { ...longest, slides: longest.slides + 1 };
      known.set(key, rest);
    }
    return rest;
  };
  return { start, ...from(start) };
}

/** Returns the positions after a best slide and a worst placement. */
function nextPositions(tabulation: Tabulation, board: Board): Board[] {
  const value = valueOfNode(tabulation, "minimax", { board, turn: "slider" });
  return slides(board).flatMap(({ board: after, score }) => {
    const left = valueOfNode(tabulation, "minimax", { board: after, turn: "placer" });
    if (left === undefined || score + left !== value) return [];
    return placements(after, tabulation.game.tiles)
      .map((placement) => placement.board)
      .filter(
        (next) => valueOfNode(tabulation, "minimax", { board: next, turn: "slider" }) === left,
      );
  });
}
