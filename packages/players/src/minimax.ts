import { DIRECTIONS, type Shape } from "@gridlock/game";
import { ILLEGAL } from "./grid.js";
import type { Cells } from "./player.js";
import { isEnd, type Slider } from "./slider.js";

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
export class PlainMinimax implements Minimax {
  readonly #slider: Slider;
  readonly #rules: MinimaxRules;
  readonly #heuristic: (cells: Cells) => number;
  readonly #size: number;
  readonly #worths = new Float64Array(DIRECTIONS.length);

  constructor(
    { rows, cols }: Shape,
    slider: Slider,
    rules: MinimaxRules,
    heuristic: (cells: Cells) => number,
  ) {
    this.#size = rows * cols;
    this.#slider = slider;
    this.#rules = rules;
    this.#heuristic = heuristic;
  }

  worths(cells: Cells, plies: number, order: readonly number[]): Float64Array {
    let best = this.#rules.lost;
    for (const i of order) {
      const worth = this.#slide(cells, i, plies, best, Number.POSITIVE_INFINITY);
      this.#worths[i] = worth;
      best = Math.max(best, worth);
    }
    return this.#worths;
  }

  /** Returns the worth of a slide, −∞ if it is illegal. */
  #slide(cells: Cells, i: number, plies: number, alpha: number, beta: number): number {
    const after = new Uint8Array(this.#size);
    const direction = DIRECTIONS[i] as (typeof DIRECTIONS)[number];
    if (this.#slider.slide(cells, direction, after) === ILLEGAL) return Number.NEGATIVE_INFINITY;
    if (plies === 1) return this.#heuristic(after);
    let worst = beta;
    for (let cell = 0; cell < after.length; cell++) {
      if (after[cell] !== 0) continue;
      for (const exponent of [1, 2]) {
        after[cell] = exponent;
        worst = Math.min(worst, this.#position(after, plies - 2, alpha, worst));
        if (worst <= alpha) return worst;
      }
      after[cell] = 0;
    }
    return worst;
  }

  #position(cells: Cells, plies: number, alpha: number, beta: number): number {
    const { lost, seesLossAtHorizon } = this.#rules;
    if (plies === 0)
      return seesLossAtHorizon && isEnd(cells, this.#slider) ? lost : this.#heuristic(cells);
    let best = Math.max(alpha, lost);
    for (let i = 0; i < DIRECTIONS.length && best < beta; i++) {
      best = Math.max(best, this.#slide(cells, i, plies, best, beta));
    }
    return best;
  }
}
