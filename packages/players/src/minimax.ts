import { DIRECTIONS, type Direction, type Shape } from "@gridlock/game";
import { Grid, ILLEGAL, isEnd } from "./grid.js";
import type { Cells } from "./player.js";

/** The treatment of lost positions by a minimax. */
export interface MinimaxRules {
  /** The worth of a position without a legal slide, and the least worth of any. */
  readonly lost: number;
  /**
   * True if that also applies to positions at the horizon, whose slides some sources do not try.
   */
  readonly seesLossAtHorizon: boolean;
}

/**
 * The search of a minimax on a shape, for positions; depths are in plies: a slide is one, a
 * placement another.
 */
export interface Minimax {
  /**
   * Returns the worths of directions, in the order of `DIRECTIONS`, when the search looks `plies`
   * ahead: the exact worth for the first of the best by `order`, and for others a bound that is no
   * more than that. Illegal ones are worth −∞. The next call overwrites the array.
   *
   * @param order indices of `DIRECTIONS`
   */
  worths(cells: Cells, plies: number, order: readonly number[]): Float64Array;
}

/** Textbook minimax with alpha-beta pruning, on boards of any shape. */
export function plainMinimax(
  shape: Shape,
  { lost, seesLossAtHorizon }: MinimaxRules,
  heuristic: (cells: Cells) => number,
): Minimax {
  const grid = new Grid(shape);
  const found = new Float64Array(DIRECTIONS.length);
  /** Returns the worth of a slide, −∞ if it is illegal. */
  const slide = (cells: Cells, i: number, plies: number, alpha: number, beta: number): number => {
    const after = new Uint8Array(grid.size);
    if (grid.slide(cells, DIRECTIONS[i] as Direction, after) === ILLEGAL) return -Infinity;
    if (plies === 1) return heuristic(after);
    let worst = beta;
    for (let cell = 0; cell < after.length; cell++) {
      if (after[cell] !== 0) continue;
      for (const exponent of [1, 2]) {
        after[cell] = exponent;
        worst = Math.min(worst, position(after, plies - 2, alpha, worst));
        if (worst <= alpha) return worst;
      }
      after[cell] = 0;
    }
    return worst;
  };
  const position = (cells: Cells, plies: number, alpha: number, beta: number): number => {
    if (plies === 0) return seesLossAtHorizon && isEnd(cells, grid) ? lost : heuristic(cells);
    let best = Math.max(alpha, lost);
    for (let i = 0; i < DIRECTIONS.length && best < beta; i++) {
      best = Math.max(best, slide(cells, i, plies, best, beta));
    }
    return best;
  };
  return {
    worths(cells, plies, order) {
      let best = lost;
      for (const i of order) {
        const worth = slide(cells, i, plies, best, Infinity);
        found[i] = worth;
        best = Math.max(best, worth);
      }
      return found;
    },
  };
}
