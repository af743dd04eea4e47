import { type Board, emptyCells } from "./board.js";
import type { Tiles } from "./shape.js";

/** A placement: the tile, its cell, and the resulting position. */
export interface Placement {
  readonly tile: number;
  readonly cell: number;
  readonly board: Board;
}

/** Puts a tile in a cell, which must be empty. */
export function place(board: Board, cell: number, tile: number): Placement {
  const cells = board.cells.slice();
  cells[cell] = tile;
  return { tile, cell, board: { rows: board.rows, cols: board.cols, cells } };
}

/**
 * Lists the placements of an afterstate: empty cells in reading order, tiles in ascending order.
 */
export function placements(board: Board, tiles: Tiles): Placement[] {
  return emptyCells(board).flatMap((cell) => tiles.map((tile) => place(board, cell, tile)));
}
