import { DIRECTIONS, type Shape } from "@gridlock/game";
import { type Boards, CHANCES, type Horizon } from "./boards.js";
import { ILLEGAL } from "./cell-rules.js";
import { equalChoices, firstBest } from "./choices.js";
import { boardsFor, type HorizonMaker } from "./lines.js";
import type { Cells } from "./player.js";

/** The objective of an expectimax. */
export interface ExpectimaxRules {
  /** True if the points of merges are added to a slide's worth. */
  readonly addsPoints: boolean;
  /** True if a slide is worth the mean over its empty cells, as in the game, and not their sum. */
  readonly averages: boolean;
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

/** Textbook expectimax for positions; depths are in slides, each with its placement. */
export class Expectimax {
  readonly #boards: Boards;
  readonly #rules: ExpectimaxRules;
  readonly #horizon: Horizon;
  readonly #worths = new Float64Array(DIRECTIONS.length);
  /** The positions that the last search looked at, repetitions and the root included. */
  visits = 0;

  constructor(boards: Boards, rules: ExpectimaxRules, horizon: Horizon) {
    this.#boards = boards;
    this.#rules = rules;
    this.#horizon = horizon;
  }

  /**
   * Returns the worth of each direction when the search looks `depth` slides ahead, in the order of
   * `DIRECTIONS`; −∞ for illegal ones. The next call overwrites the array.
   */
  worths(cells: Cells, depth: number): Float64Array {
    this.#boards.load(cells);
    this.visits = 1;
    for (let i = 0; i < DIRECTIONS.length; i++) this.#worths[i] = this.#slide(0, i, depth);
    return this.#worths;
  }

  #slide(at: number, direction: number, depth: number): number {
    const points = this.#boards.slide(at, direction);
    if (points === ILLEGAL) return Number.NEGATIVE_INFINITY;
    const after = at + this.#boards.width;
    const empty = this.#boards.emptyCells(after);
    const sum =
      (depth === 1 ? this.#sumAtHorizon(after, empty) : undefined) ??
      this.#boards.forPlacements(after, (chance) => chance * this.#position(after, depth - 1));
    const worth = this.#rules.averages ? sum / empty : sum;
    return this.#rules.addsPoints ? points + worth : worth;
  }

  #position(at: number, depth: number): number {
    this.visits++;
    const { lost, seesLossAtHorizon } = this.#rules;
    if (depth === 0) {
      const isLost = lost !== undefined && seesLossAtHorizon && this.#boards.isLost(at);
      return isLost ? lost : this.#horizon.value(at);
    }
    let best = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < DIRECTIONS.length; i++) {
      const worth = this.#slide(at, i, depth);
      if (worth > best) best = worth;
    }
    if (lost !== undefined) return best > lost ? best : lost;
    return best === Number.NEGATIVE_INFINITY ? this.#horizon.value(at) : best;
  }

  /** Returns the sum of the horizon, if it has one and no position after the placement is lost. */
  #sumAtHorizon(at: number, empty: number): number | undefined {
    const { lost, seesLossAtHorizon } = this.#rules;
    // Only a full board can be lost.
    if (lost !== undefined && seesLossAtHorizon && empty === 1) return undefined;
    const sum = this.#horizon.sum?.(at, empty);
    if (sum !== undefined) this.visits += CHANCES.length * empty;
    return sum;
  }
}

/**
 * Returns a function that chooses the first of the best directions by an order; see
 * {@link firstBest}.
 */
export function expectimaxChooser(
  shape: Shape,
  rules: ExpectimaxRules,
  depth: number,
  horizonOf: HorizonMaker,
  order: readonly number[],
) {
  const expectimaxFor = boardsFor(
    shape,
    depth,
    (boards) => new Expectimax(boards, rules, horizonOf(boards)),
  );
  return (cells: Cells) => {
    const worths = expectimaxFor(cells, depth).worths(cells, depth);
    return equalChoices(1 << (firstBest(worths, order) as number));
  };
}
