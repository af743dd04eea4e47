/*
 * The shape is a pair of constants passed to the compiler (`--use ROWS=3 --use COLS=3`), with no
 * more rows than columns; the compiler folds everything that follows from it.
 *
 * A board is one u64 with four bits per cell, the first cell (top left, row by row) lowest, each
 * holding the tile's exponent: 0 for empty, 1 for 2, 2 for 4, …  Two rows of three:
 *
 *     2 0 8        bits 23   19   15   11   7    3  0
 *     0 4 0   →         0000 0010 0000 0011 0000 0001   = 0x020301
 */

// given by the compiler's command line
export const ROW_COUNT: i32 = ROWS;
// given by the compiler's command line
export const COL_COUNT: i32 = COLS;
export const CELLS: i32 = ROW_COUNT * COL_COUNT;
export const SQUARE: bool = ROW_COUNT == COL_COUNT;

/** Bits of a packed board. */
export const BOARD_BITS: i32 = 4 * CELLS;
