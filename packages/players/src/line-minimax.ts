import { DIRECTIONS, type Shape } from "@gridlock/game";
import { ILLEGAL } from "./grid.js";
import { LineSums, type LineTerms } from "./line-sums.js";
import { fitsLines, hasLines, LineBoards } from "./lines.js";
import { type Minimax, type MinimaxRules, PlainMinimax } from "./minimax.js";
import type { Cells } from "./player.js";
import type { SliderMaker } from "./slider.js";

/** Minimax on boards of lines: the results of `PlainMinimax` in a fraction of its time. */
export class LineMinimax implements Minimax {
  readonly #boards: LineBoards;
  readonly #sums: LineSums;
  readonly #rules: MinimaxRules;
  readonly #worths = new Float64Array(DIRECTIONS.length);

  /** @param mostPlies the greatest depth of any search */
  constructor(
    shape: Shape,
    sliderOf: SliderMaker,
    rules: MinimaxRules,
    mostPlies: number,
    terms: LineTerms,
  ) {
    // One frame for each slide, one for the root, one for slides that find out whether a position is lost.
    this.#boards = new LineBoards(shape, sliderOf, Math.ceil(mostPlies / 2) + 2);
    this.#sums = new LineSums(this.#boards, terms);
    this.#rules = rules;
  }

  worths(cells: Cells, plies: number, order: readonly number[]): Float64Array {
    this.#boards.load(cells, 0);
    let best = this.#rules.lost;
    for (const i of order) {
      const worth = this.#slide(0, i, plies, best, Number.POSITIVE_INFINITY);
      this.#worths[i] = worth;
      if (worth > best) best = worth;
    }
    return this.#worths;
  }

  #slide(at: number, direction: number, plies: number, alpha: number, beta: number): number {
    const boards = this.#boards;
    if (boards.slide(at, direction) === ILLEGAL) return Number.NEGATIVE_INFINITY;
    const after = at + boards.width;
    if (plies === 1) return this.#sums.value(after);
    if (plies === 2) return this.#atHorizon(after, alpha);
    let worst = beta;
    for (let row = 0; row < boards.rows; row++) {
      const line = boards.lines[after + row] as number;
      for (let col = 0; col < boards.cols; col++) {
        if (((line >>> (4 * col)) & 15) !== 0) continue;
        for (let exponent = 1; exponent <= 2; exponent++) {
          boards.place(after, row, col, exponent);
          const worth = this.#position(after, plies - 2, alpha, worst);
          boards.clear(after, row, col);
          if (worth < worst) worst = worth;
          if (worst <= alpha) return worst;
        }
      }
    }
    return worst;
  }

  #position(at: number, plies: number, alpha: number, beta: number): number {
    const { lost } = this.#rules;
    let best = alpha > lost ? alpha : lost;
    for (let i = 0; i < DIRECTIONS.length && best < beta; i++) {
      const worth = this.#slide(at, i, plies, best, beta);
      if (worth > best) best = worth;
    }
    return best;
  }

  /** Returns the least worth of the positions that placements on an afterstate make, or one that is at most `enough`. */
  #atHorizon(at: number, enough: number): number {
    // Only a full board can be lost.
    if (!this.#rules.seesLossAtHorizon || this.#boards.emptyCells(at) > 1)
      return this.#sums.least(at, enough);
    let least = Number.POSITIVE_INFINITY;
    this.#boards.forPlacements(at, () => {
      const worth = this.#boards.isLost(at) ? this.#rules.lost : this.#sums.value(at);
      least = Math.min(least, worth);
      return 0;
    });
    return least;
  }
}

/** Everything that makes a minimax. */
export interface MinimaxSetup {
  readonly shape: Shape;
  readonly sliderOf: SliderMaker;
  readonly rules: MinimaxRules;
  /** The greatest depth of any search. */
  readonly mostPlies: number;
  heuristic(cells: Cells): number;
  /** The same heuristic as a sum over lines. */
  readonly terms: LineTerms;
}

/** Makes a minimax that searches on boards of lines where they are possible. */
export function makeMinimax(setup: MinimaxSetup): Minimax {
  const { shape, sliderOf, rules, mostPlies, terms } = setup;
  const plain = new PlainMinimax(shape, sliderOf(shape), rules, (cells) => setup.heuristic(cells));
  if (!hasLines(shape)) return plain;
  const fast = new LineMinimax(shape, sliderOf, rules, mostPlies, terms);
  return {
    worths: (cells, plies, order) =>
      (fitsLines(cells, plies) ? fast : plain).worths(cells, plies, order),
  };
}
