import { DIRECTIONS, type Direction } from "@gridlock/game";

/** The order in which moves are generated, which the paper leaves open but for 4 before 2. */
export interface MoveOrder {
  readonly slides: readonly Direction[];
  /** Whether every cell is tried with a 4 before any with a 2, or each cell with a 4 and then a 2. */
  readonly foursFirst: boolean;
  /** Whether cells go from the last to the first instead of in reading order. */
  readonly cellsReversed: boolean;
}

/**
 * With this order the node counts of the paper's Tables 3 and 4 come out to the digit: slides left, down,
 * right, up; all 4s in reading order, then all 2s.
 */
export const PAPER_ORDER: MoveOrder = {
  slides: ["left", "down", "right", "up"],
  foursFirst: true,
  cellsReversed: false,
};

/** Every order there is of slides, each with both of the other choices: 96 in all. */
export const MOVE_ORDERS: readonly MoveOrder[] = permutations(DIRECTIONS).flatMap((slides) =>
  [true, false].flatMap((foursFirst) =>
    [false, true].map((cellsReversed) => ({ slides, foursFirst, cellsReversed })),
  ),
);

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) =>
    permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}
