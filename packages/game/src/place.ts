import { type Board, emptyCells } from "./board.js";
import type { Tiles } from "./shape.js";

/** A placement: the tile, the cell it goes to, and the position that results. */
export interface Placement {
  readonly tile: number;
  readonly cell: number;
  readonly board: Board;
}

/** Puts a tile in an empty cell. The cell must be empty. */
export function place(board: Board, cell: number, tile: number): Placement {
  const cells = [...board.cells];
  cells[cell] = tile;
  return { tile, cell, board: { rows: board.rows, cols: board.cols, cells } };
}

/** Lists the placements of an afterstate: each empty cell in reading order, each tile in ascending order. */
export function placements(board: Board, tiles: Tiles): Placement[] {
  const all: Placement[] = [];
  for (const cell of emptyCells(board)) {
    for (const tile of tiles) all.push(place(board, cell, tile));
  }
  return all;
}
