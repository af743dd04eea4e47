import { DIRECTIONS, type Shape } from "@gridlock/game";
import type { Boards, Horizon } from "./boards.js";
import { ILLEGAL } from "./cell-rules.js";
import type { ExpectimaxRules } from "./expectimax.js";
import { boardsFor, type HorizonMaker } from "./lines.js";
import type { Cells } from "./player.js";

/** The treatment of lost positions by a minimax. */
export type MinimaxRules = Pick<ExpectimaxRules, "seesLossAtHorizon"> & { readonly lost: number };

/** A tile in a cell. */
type Placed = Readonly<Record<"row" | "col" | "exponent", number>>;

/**
 * Minimax with alpha-beta pruning for positions; depths are in plies: a slide is one, a placement
 * another.
 */
export class Minimax {
  readonly #boards: Boards;
  readonly #rules: MinimaxRules;
  readonly #horizon: Horizon;
  readonly #worths = new Float64Array(DIRECTIONS.length);
  /** All placements on an empty board. */
  readonly #placements: readonly Placed[];
  /**
   * For each number of plies left, the move that last caused a cut-off: the number of a slide or of
   * a placement.
   */
  readonly #killers: Uint8Array;

  /** @param mostPlies the greatest depth of any search */
  constructor(boards: Boards, rules: MinimaxRules, mostPlies: number, horizon: Horizon) {
    this.#boards = boards;
    this.#rules = rules;
    this.#horizon = horizon;
    const { rows, cols } = boards;
    this.#placements = Array.from({ length: 2 * rows * cols }, (_, i) => {
      const cell = i >> 1;
      return { row: Math.floor(cell / cols), col: cell % cols, exponent: 1 + (i & 1) };
    });
    this.#killers = new Uint8Array(mostPlies + 1);
  }

  /**
   * Returns the worths of directions, in the order of `DIRECTIONS`, when the search looks `plies`
   * ahead: the exact worth for the first of the best by `order`, and for others a bound that is no
   * more than that. Illegal ones are worth −∞. The next call overwrites the array.
   *
   * @param order indices of `DIRECTIONS`
   */
  worths(cells: Cells, plies: number, order: readonly number[]): Float64Array {
    this.#boards.load(cells);
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
    if (plies === 1) return this.#horizon.value(after);
    if (plies === 2) {
      // Only a full board can be lost.
      const canLose = this.#rules.seesLossAtHorizon && boards.emptyCells(after) === 1;
      const least = canLose ? undefined : this.#horizon.least?.(after, alpha);
      if (least !== undefined) return least;
    }
    // First the placement that refuted the slide to another board: it often refutes this one too.
    const killer = this.#killers[plies - 1] as number;
    let worst = beta;
    for (let i = -1; i < this.#placements.length; i++) {
      const index = i < 0 ? killer : i;
      if (index === killer && i >= 0) continue;
      const { row, col, exponent } = this.#placements[index] as Placed;
      if (!boards.isEmpty(after, row, col)) continue;
      boards.put(after, row, col, exponent);
      const worth = this.#position(after, plies - 2, alpha, worst);
      boards.put(after, row, col, 0);
      if (worth < worst) worst = worth;
      if (worst <= alpha) {
        this.#killers[plies - 1] = index;
        break;
      }
    }
    return worst;
  }

  #position(at: number, plies: number, alpha: number, beta: number): number {
    const { lost, seesLossAtHorizon } = this.#rules;
    if (plies === 0) {
      return seesLossAtHorizon && this.#boards.isLost(at) ? lost : this.#horizon.value(at);
    }
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
}

/**
 * Returns a function that returns the minimax for a position and a number of plies.
 *
 * @param mostPlies the greatest depth of any search
 */
export function makeMinimax(
  shape: Shape,
  rules: MinimaxRules,
  mostPlies: number,
  horizonOf: HorizonMaker,
): (cells: Cells, plies: number) => Minimax {
  return boardsFor(
    shape,
    Math.ceil(mostPlies / 2),
    (boards) => new Minimax(boards, rules, mostPlies, horizonOf(boards)),
  );
}
