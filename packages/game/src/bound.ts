import { type Board, emptyCells, type Node, type Turn } from "./board.js";
import { mostPointsToCome } from "./score.js";
import { cellCount } from "./shape.js";
import { isEnd } from "./slide.js";

/**
 * A proven bound of a board's value h, in points: `lo ≤ h ≤ hi`; exact when they meet. Bounds form
 * a lattice under {@link mergeBounds}: results may arrive twice, late, or in any order.
 */
export interface Bound {
  readonly lo: number;
  readonly hi: number;
}

/** The bound of a board about which nothing is known. */
export const UNKNOWN: Bound = { lo: 0, hi: Number.POSITIVE_INFINITY };

/** Combines two bounds of one board: the larger `lo` and the smaller `hi`. */
export function mergeBounds(a: Bound, b: Bound): Bound {
  return { lo: Math.max(a.lo, b.lo), hi: Math.min(a.hi, b.hi) };
}

/** A move: the points that it earns, and a proven bound of the board that it leads to. */
export interface BoundedMove {
  readonly score: number;
  readonly bound: Bound;
}

/** Returns the bound of a board that follows from all its moves; {@link UNKNOWN} if it has none. */
export function boundByMoves(turn: Turn, moves: readonly BoundedMove[]): Bound {
  if (moves.length === 0) return UNKNOWN;
  const best = turn === "slider" ? Math.max : Math.min;
  return {
    lo: best(...moves.map(({ score, bound }) => score + bound.lo)),
    hi: best(...moves.map(({ score, bound }) => score + bound.hi)),
  };
}

/** Returns whether the value is known. */
export function isExact(bound: Bound): boolean {
  return bound.lo === bound.hi;
}

/**
 * Returns the bound that the rules alone give: 0 at an end state, else at most all points to come.
 */
export function boundByRules({ board, turn }: Node): Bound {
  const over = turn === "slider" ? isEnd(board) : emptyCells(board).length === 0;
  return { lo: 0, hi: over ? 0 : mostPointsToCome(board) };
}

/**
 * Returns whether the upper bound of a board is no result, because it is the one that the rules
 * give, or a little below: each 4 that a short search places takes 4 points off.
 */
export function isOpenAbove({ lo, hi }: Bound, board: Board): boolean {
  return lo < hi && hi >= mostPointsToCome(board) - 4 * cellCount(board);
}
