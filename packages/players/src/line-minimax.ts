import { DIRECTIONS, type Shape } from "@gridlock/game";
import { Grid, ILLEGAL } from "./grid.js";
import { heuristicOf, LineSums, type LineTerms } from "./line-sums.js";
import { fitsLines, hasLines, LineBoards } from "./lines.js";
import { type Minimax, type MinimaxRules, plainMinimax } from "./minimax.js";
import type { Cells } from "./player.js";

interface LinePlacement {
  readonly row: number;
  readonly col: number;
  readonly exponent: number;
}

/** Minimax on boards of lines: the results of `plainMinimax` in a fraction of its time. */
export class LineMinimax implements Minimax {
  readonly #boards: LineBoards;
  readonly #sums: LineSums;
  readonly #rules: MinimaxRules;
  readonly #worths = new Float64Array(DIRECTIONS.length);

  /** All placements on an empty board. */
  readonly #placements: readonly LinePlacement[];
  /**
   * For each number of plies left, the move that last caused a cut-off: the number of a slide or of
   * a placement.
   */
  readonly #killers: Uint8Array;

  /** @param mostPlies the greatest depth of any search */
  constructor(shape: Shape, rules: MinimaxRules, mostPlies: number, terms: LineTerms) {
    // One frame for each slide, one for the root, one for slides that find out whether a position
    // is lost.
    this.#boards = new LineBoards(shape, (of) => new Grid(of), Math.ceil(mostPlies / 2) + 2);
    this.#sums = new LineSums(this.#boards, terms);
    this.#rules = rules;
    this.#placements = placementsOn(shape);
    this.#killers = new Uint8Array(mostPlies + 1);
  }

  worths(cells: Cells, plies: number, order: readonly number[]): Float64Array {
    this.#boards.load(cells, 0);
    this.#killers.fill(0);
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

    // First the placement that refuted the slide to another board: it often refutes this one too.
    const killer = this.#killers[plies - 1] as number;
    let worst = beta;
    for (let i = -1; i < this.#placements.length; i++) {
      const index = i < 0 ? killer : i;
      if (index === killer && i >= 0) continue;
      const { row, col, exponent } = this.#placements[index] as LinePlacement;
      if ((((boards.lines[after + row] as number) >>> (4 * col)) & 15) !== 0) continue;
      boards.place(after, row, col, exponent);
      const worth = this.#position(after, plies - 2, alpha, worst);
      boards.clear(after, row, col);
      if (worth < worst) worst = worth;
      if (worst <= alpha) {
        this.#killers[plies - 1] = index;
        break;
      }
    }
    return worst;
  }

  #position(at: number, plies: number, alpha: number, beta: number): number {
    const { lost } = this.#rules;
    const killer = this.#killers[plies] as number;
    let best = alpha > lost ? alpha : lost;
    for (let i = -1; i < DIRECTIONS.length && best < beta; i++) {
      const direction = i < 0 ? killer : i;
      if (direction === killer && i >= 0) continue;
      const worth = this.#slide(at, direction, plies, best, beta);
      if (worth > best) best = worth;
      if (best >= beta) this.#killers[plies] = direction;
    }
    return best;
  }

  /**
   * Returns the least worth of the positions after a placement on an afterstate, or any that is at
   * most `enough`.
   */
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

function placementsOn({ rows, cols }: Shape): LinePlacement[] {
  const all: LinePlacement[] = [];
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++)
      all.push({ row, col, exponent: 1 }, { row, col, exponent: 2 });
  }
  return all;
}

/**
 * Makes a minimax that searches on boards of lines if possible.
 *
 * @param mostPlies the greatest depth of any search
 * @param terms its heuristic
 */
export function makeMinimax(
  shape: Shape,
  rules: MinimaxRules,
  mostPlies: number,
  terms: LineTerms,
): Minimax {
  const plain = plainMinimax(shape, rules, heuristicOf(shape, terms));
  if (!hasLines(shape)) return plain;
  const fast = new LineMinimax(shape, rules, mostPlies, terms);
  return {
    worths: (cells, plies, order) =>
      (fitsLines(cells, plies) ? fast : plain).worths(cells, plies, order),
  };
}
