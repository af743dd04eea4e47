import { DIRECTIONS, type Direction } from "@gridlock/game";
import { permutations } from "@gridlock/players";

/** The order in which moves are generated. The paper specifies only that 4s come before 2s. */
export interface MoveOrder {
  readonly slides: readonly Direction[];
  /** True to try all cells with a 4 before any with a 2, not each cell with a 4 and then a 2. */
  readonly foursFirst: boolean;
  /** True if cells are tried from last to first instead of in reading order. */
  readonly cellsReversed: boolean;
}

/**
 * The order that reproduces the node counts of the paper's Tables 3 and 4: slides left, down,
 * right, up; all 4s in reading order, then all 2s.
 */
export const PAPER_ORDER: MoveOrder = {
  slides: ["left", "down", "right", "up"],
  foursFirst: true,
  cellsReversed: false,
};

/** All 96 orders: every order of slides with each combination of the other choices. */
export const MOVE_ORDERS: readonly MoveOrder[] = permutations(DIRECTIONS).flatMap((slides) =>
  [true, false].flatMap((foursFirst) =>
    [false, true].map((cellsReversed) => ({ slides, foursFirst, cellsReversed })),
  ),
);
