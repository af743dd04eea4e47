import { DIRECTIONS, type Shape } from "@gridlock/game";
import { ILLEGAL } from "./grid.js";
import type { Cells } from "./player.js";
import { isEnd, type Slider } from "./slider.js";

/** The objective of an expectimax. */
export interface ExpectimaxRules {
  /** True if the points of merges are added to a slide's worth. */
  readonly addsPoints: boolean;
  /** True if a slide is worth the mean over its empty cells, as in the game, and not their sum. */
  readonly takesMean: boolean;
  /**
   * The worth of a position without a legal slide, and the least worth of any; `undefined` if the
   * heuristic applies to these positions, too.
   */
  readonly lost: number | undefined;
  /**
   * True if that also applies to positions at the horizon, whose slides some sources do not try.
   */
  readonly seesLossAtHorizon: boolean;
}

/**
 * The search of an expectimax on a shape, for positions; depths are in slides, each with its
 * placement.
 */
export interface Expectimax {
  /**
   * Returns the worth of each direction when the search looks `depth` slides ahead, in the order of
   * `DIRECTIONS`; −∞ for illegal ones. The next call overwrites the array.
   */
  worths(cells: Cells, depth: number): Float64Array;
  /**
   * The positions that the last call looked at, repetitions and the root included, by the plain
   * algorithm's count.
   */
  readonly visits: number;
}

/** The probabilities of the tiles that are placed, by exponent. */
export const CHANCES = [
  [1, 0.9],
  [2, 0.1],
] as const;

/** Textbook expectimax on boards of any shape, with which other versions are compared. */
export class PlainExpectimax implements Expectimax {
  readonly #slider: Slider;
  readonly #rules: ExpectimaxRules;
  readonly #heuristic: (cells: Cells) => number;
  readonly #size: number;
  readonly #worths = new Float64Array(DIRECTIONS.length);
  #visits = 0;

  constructor(
    { rows, cols }: Shape,
    slider: Slider,
    rules: ExpectimaxRules,
    heuristic: (cells: Cells) => number,
  ) {
    this.#size = rows * cols;
    this.#slider = slider;
    this.#rules = rules;
    this.#heuristic = heuristic;
  }

  get visits(): number {
    return this.#visits;
  }

  worths(cells: Cells, depth: number): Float64Array {
    this.#visits = 1;
    DIRECTIONS.forEach((_, i) => {
      this.#worths[i] = this.#slide(cells, i, depth);
    });
    return this.#worths;
  }

  /** Returns the worth of a slide, −∞ if it is illegal. */
  #slide(cells: Cells, direction: number, depth: number): number {
    const after = new Uint8Array(this.#size);
    const name = DIRECTIONS[direction] as (typeof DIRECTIONS)[number];
    const points = this.#slider.slide(cells, name, after);
    if (points === ILLEGAL) return Number.NEGATIVE_INFINITY;
    let sum = 0;
    let empty = 0;
    for (let cell = 0; cell < after.length; cell++) {
      if (after[cell] !== 0) continue;
      empty++;
      for (const [exponent, chance] of CHANCES) {
        after[cell] = exponent;
        sum += chance * this.#position(after, depth - 1);
      }
      after[cell] = 0;
    }
    const worth = this.#rules.takesMean ? sum / empty : sum;
    return this.#rules.addsPoints ? points + worth : worth;
  }

  #position(cells: Cells, depth: number): number {
    this.#visits++;
    const { lost, seesLossAtHorizon } = this.#rules;
    if (depth === 0 && !(lost !== undefined && seesLossAtHorizon && isEnd(cells, this.#slider))) {
      return this.#heuristic(cells);
    }
    let best = Number.NEGATIVE_INFINITY;
    if (depth > 0) {
      for (let i = 0; i < DIRECTIONS.length; i++) {
        best = Math.max(best, this.#slide(cells, i, depth));
      }
    }
    if (lost !== undefined) return Math.max(best, lost);
    return best === Number.NEGATIVE_INFINITY ? this.#heuristic(cells) : best;
  }
}
