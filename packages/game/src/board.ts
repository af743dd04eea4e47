import { cellCount, type Shape, type Tiles } from "./shape.js";

/**
 * A board: its shape and the tile in each cell, row by row, 0 for an empty cell. It does not say
 * whose turn it is. Boards are never changed in place.
 */
export interface Board extends Shape {
  readonly cells: readonly number[];
}

/**
 * The player to move. A board with the slider to move is a position; one with the placer to move,
 * an afterstate.
 */
export type Turn = "slider" | "placer";

/** Returns the other player. */
export function opponent(turn: Turn): Turn {
  return turn === "slider" ? "placer" : "slider";
}

/** A board with the player to move: a node of the game graph. */
export interface Node {
  readonly board: Board;
  readonly turn: Turn;
}

/** A board with no tiles. */
export function emptyBoard(shape: Shape): Board {
  return { rows: shape.rows, cols: shape.cols, cells: new Array(cellCount(shape)).fill(0) };
}

/** Splits cells, listed row by row, into rows. */
export function rowsOf<T>({ rows, cols, cells }: Shape & { readonly cells: readonly T[] }): T[][] {
  return Array.from({ length: rows }, (_, row) => cells.slice(row * cols, (row + 1) * cols));
}

/** Returns whether two boards have the same shape and the same tiles. */
export function sameBoard(a: Board, b: Board): boolean {
  const isSameShape = a.rows === b.rows && a.cols === b.cols;
  return isSameShape && a.cells.every((tile, cell) => tile === b.cells[cell]);
}

/** Lists the indices of the empty cells, in reading order. */
export function emptyCells(board: Board): number[] {
  const empty: number[] = [];
  for (let cell = 0; cell < board.cells.length; cell++) {
    if (board.cells[cell] === 0) empty.push(cell);
  }
  return empty;
}

/**
 * The sum of the tiles. A slide keeps it and a placement raises it by the tile placed, so the game
 * graph has no cycle and its layers are the tile sums.
 */
export function tileSum(board: Board): number {
  return board.cells.reduce((sum, tile) => sum + tile, 0);
}

/** The largest tile on the board, 0 on an empty one. */
export function largestTileOn(board: Board): number {
  return Math.max(...board.cells);
}

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
