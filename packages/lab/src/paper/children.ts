import type { Tiles } from "@gridlock/game";
import { ALL_SLIDES, type Grid, ILLEGAL } from "../enumeration/grid.js";
import type { MoveOrder } from "./move-order.js";

/** A child of a node: the board after a move, as a code of the grid, and the points of the move. */
export interface Child {
  readonly board: number;
  readonly score: number;
}

/** A placement on boards of a grid: the difference that it makes to a code. */
export interface CodePlacement {
  readonly cell: number;
  readonly code: number;
}

/** Returns the legal slides of a board, in the order of `directions`. */
export function slidesOf(
  grid: Grid,
  board: number,
  directions: readonly number[] = ALL_SLIDES,
): Child[] {
  const children: Child[] = [];
  grid.set(board);
  for (const direction of directions) {
    const slid = grid.slide(direction);
    if (slid !== ILLEGAL) children.push({ board: slid, score: grid.score(direction) });
  }
  return children;
}

/** Returns all placements in the order in which the search tries them. */
export function placementOrder(grid: Grid, tiles: Tiles, order: MoveOrder): CodePlacement[] {
  const cells = Array.from({ length: grid.cells }, (_, cell) => cell);
  if (order.cellsReversed) cells.reverse();
  const put = (cell: number, tile: number) => ({
    cell,
    code: (tile / 2) * (grid.weights[cell] as number),
  });
  const largestFirst = tiles.toReversed();
  return order.foursFirst
    ? largestFirst.flatMap((tile) => cells.map((cell) => put(cell, tile)))
    : cells.flatMap((cell) => largestFirst.map((tile) => put(cell, tile)));
}

/** Returns the legal placements on an afterstate. */
export function placementsOf(
  grid: Grid,
  board: number,
  placements: readonly CodePlacement[],
): Child[] {
  const exponents = grid.exponents(board);
  return placements
    .filter(({ cell }) => exponents[cell] === 0)
    .map(({ code }) => ({ board: board + code, score: 0 }));
}
