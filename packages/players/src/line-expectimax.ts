import { DIRECTIONS, type Shape } from "@gridlock/game";
import { equalChoices, firstBest } from "./choices.js";
import { CHANCES, type Expectimax, type ExpectimaxRules, plainExpectimax } from "./expectimax.js";
import type { SliderMaker } from "./grid.js";
import { Grid, ILLEGAL } from "./grid.js";
import { fitsLines, hasLines, LineBoards } from "./lines.js";
import type { Cells } from "./player.js";

/** A heuristic on boards of lines. */
export interface Horizon {
  /** Returns the worth of the board of the frame at `at`. */
  value(at: number): number;
  /**
   * Returns the sum of the worths of all boards after a placement on that of the frame at `at`,
   * each times the chance of its tile: 0.9 for a 2 and 0.1 for a 4. So all boards of the last
   * placement cost little more than one.
   *
   * @param empty the number of empty cells
   */
  sum(at: number, empty: number): number;
}

/**
 * Expectimax on boards of lines: the results of `plainExpectimax`, except for rounding, in a
 * fraction of its time.
 */
export class LineExpectimax implements Expectimax {
  readonly #boards: LineBoards;
  readonly #rules: ExpectimaxRules;
  readonly #horizon: Horizon;
  readonly #worths = new Float64Array(DIRECTIONS.length);
  #visits = 0;

  /** @param mostDepth the greatest depth of any search */
  constructor(
    shape: Shape,
    sliderOf: SliderMaker,
    rules: ExpectimaxRules,
    mostDepth: number,
    makeHorizon: (boards: LineBoards) => Horizon,
  ) {
    // One frame beyond the horizon is for slides that find out whether a position there is lost.
    this.#boards = new LineBoards(shape, sliderOf, mostDepth + 2);
    this.#rules = rules;
    this.#horizon = makeHorizon(this.#boards);
  }

  get visits(): number {
    return this.#visits;
  }

  worths(cells: Cells, depth: number): Float64Array {
    this.#boards.load(cells, 0);
    this.#visits = 1;
    for (let i = 0; i < DIRECTIONS.length; i++) this.#worths[i] = this.#slide(0, i, depth);
    return this.#worths;
  }

  #slide(at: number, direction: number, depth: number): number {
    const points = this.#boards.slide(at, direction);
    if (points === ILLEGAL) return Number.NEGATIVE_INFINITY;
    const after = at + this.#boards.width;
    const empty = this.#boards.emptyCells(after);
    const sum =
      depth === 1
        ? this.#atHorizon(after, empty)
        : this.#boards.forPlacements(after, (chance) => chance * this.#position(after, depth - 1));
    const worth = this.#rules.takesMean ? sum / empty : sum;
    return this.#rules.addsPoints ? points + worth : worth;
  }

  #position(at: number, depth: number): number {
    this.#visits++;
    const { lost } = this.#rules;
    let best = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < DIRECTIONS.length; i++) {
      const worth = this.#slide(at, i, depth);
      if (worth > best) best = worth;
    }
    if (lost !== undefined) return best > lost ? best : lost;
    return best === Number.NEGATIVE_INFINITY ? this.#horizon.value(at) : best;
  }

  #atHorizon(at: number, empty: number): number {
    this.#visits += CHANCES.length * empty;
    const { lost, seesLossAtHorizon } = this.#rules;
    // Only a full board can be lost.
    if (lost === undefined || !seesLossAtHorizon || empty > 1) return this.#horizon.sum(at, empty);
    return this.#boards.forPlacements(
      at,
      (chance) => chance * (this.#boards.isLost(at) ? lost : this.#horizon.value(at)),
    );
  }
}

/** The parameters of an expectimax. */
export interface ExpectimaxSetup {
  readonly shape: Shape;
  /** Makes the slides of the search; default: those of the game. */
  readonly sliderOf?: SliderMaker;
  readonly rules: ExpectimaxRules;
  /** The greatest depth of any search. */
  readonly mostDepth: number;
  readonly heuristic: (cells: Cells) => number;
  /** Returns the same heuristic on boards of lines. */
  readonly horizonOf: (boards: LineBoards) => Horizon;
}

/** Returns a function that chooses the first of the best directions by an order; see {@link firstBest}. */
export function chooserOf(expectimax: Expectimax, depth: number, order: readonly number[]) {
  return (cells: Cells) =>
    equalChoices(1 << (firstBest(expectimax.worths(cells, depth), order) as number));
}

/** Makes an expectimax that searches on boards of lines if possible. */
export function makeExpectimax({
  shape,
  sliderOf = (of) => new Grid(of),
  rules,
  mostDepth,
  heuristic,
  horizonOf,
}: ExpectimaxSetup): Expectimax {
  const plain = plainExpectimax(sliderOf(shape), rules, heuristic);
  if (!hasLines(shape)) return plain;
  const fast = new LineExpectimax(shape, sliderOf, rules, mostDepth, horizonOf);
  let last: Expectimax = fast;
  return {
    worths(cells, depth) {
      last = fitsLines(cells, depth) ? fast : plain;
      return last.worths(cells, depth);
    },
    get visits() {
      return last.visits;
    },
  };
}
