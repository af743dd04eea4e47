import { ALL_SLIDES, type Grid, ILLEGAL } from "@gridlock/enumeration";
import type { Tiles } from "@gridlock/game";
import type { MoveOrder } from "./move-order.js";

/** A child of a node: the board that a move leads to, as a code of the grid, and the points the move earns. */
export interface Child {
  readonly board: number;
  readonly score: number;
  /** The slide's number in `DIRECTIONS`; of a placement, its number in the order of all of them. */
  readonly move: number;
}

/** A placement on boards of a grid: what it adds to the code of any board whose cell is empty. */
export interface CodePlacement {
  readonly cell: number;
  readonly code: number;
}

/** The slides of a board that change it, in the order of the directions given. */
export function slidesOf(
  grid: Grid,
  board: number,
  directions: readonly number[] = ALL_SLIDES,
): Child[] {
  const children: Child[] = [];
  grid.set(board);
  for (const direction of directions) {
    const slid = grid.slide(direction);
    if (slid !== ILLEGAL)
      children.push({ board: slid, score: grid.score(direction), move: direction });
  }
  return children;
}

/** All placements in the order in which they are to be tried. */
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

/** The placements that an afterstate has room for. */
export function placementsOf(
  grid: Grid,
  board: number,
  placements: readonly CodePlacement[],
): Child[] {
  const children: Child[] = [];
  placements.forEach(({ cell, code }, move) => {
    if (grid.isEmpty(board, cell)) children.push({ board: board + code, score: 0, move });
  });
  return children;
}
