/* Operations on all cells of a packed board at once. */
import { BOARD_BITS } from "./shape";

/** All bits of a board. */
export const BOARD_MASK: u64 = u64.MAX_VALUE >> (64 - BOARD_BITS);
/** The lowest bit of each cell. */
export const CELL_ONES: u64 = u64(0x1111111111111111) & BOARD_MASK;

/** Returns the lowest bits of the empty cells among the cells whose lowest bits are in `cells`. */
@inline
export function emptyAmong(cells: u64, board: u64): u64 {
  const pairs = board | (board >> 1);
  return cells & ~(pairs | (pairs >> 2));
}

/** Returns the lowest bits of the tiles that equal the content of the cell `step` cells farther. */
@inline
export function equalAhead(board: u64, step: i32): u64 {
  return emptyAmong(CELL_ONES, board ^ (board >> (4 * step))) & ~emptyAmong(CELL_ONES, board);
}

/** Returns all bits of the first cell of each line of `length` cells. */
@inline
export function firstCells(length: i32): u64 {
  return (BOARD_MASK / ((u64(1) << (4 * length)) - 1)) * 15;
}
