/*
 * The shape is a pair of constants given to the compiler (`--use ROWS=3 --use COLS=3`), with no more
 * rows than columns; all that follows from it folds away at compile time.
 *
 * A board is one u64 with four bits a cell, the first cell (top left, row by row) lowest, each
 * holding the tile's exponent: 0 for empty, 1 for 2, 2 for 4, …  Two rows of three:
 *
 *     2 0 8        bits 23   19   15   11   7    3  0
 *     0 4 0   →         0000 0010 0000 0011 0000 0001   = 0x020301
 */

// @ts-ignore: given by the compiler's command line
export const ROW_COUNT: i32 = ROWS;
// @ts-ignore: given by the compiler's command line
export const COL_COUNT: i32 = COLS;
export const CELLS: i32 = ROW_COUNT * COL_COUNT;
export const SQUARE: bool = ROW_COUNT == COL_COUNT;

/** Bits of a packed board. */
export const BOARD_BITS: i32 = 4 * CELLS;

/**
 * Bits of a bound, points / 4, in a table entry. No board's value exceeds ((CELLS − 1)·2^(CELLS + 2) + 4) points, a
 * quarter of which takes at most CELLS + ceil(log2 CELLS) bits. Past 15 bits (131,064 points) bounds saturate, to a
 * smaller `lo` or to no `hi`, which is sound; and, so that an entry has room for more of the key, past 12 bits (16,376
 * points) on 14 cells, 11 (8,184) on 15 and 10 (4,088) on 16.
 */
export const VALUE_BITS: i32 =
  CELLS <= 2 ? 3 : CELLS <= 4 ? 7 : CELLS <= 8 ? CELLS + 3 : CELLS <= 11 ? CELLS + 4 : CELLS <= 12 ? 15 : 26 - CELLS;

/** Placements after which the tile sum would exceed the largest there is, 4 + 8 + … + 2^(CELLS + 1): each adds 2 or more. */
const MOST_BY_SUM: i32 = (1 << (CELLS + 1)) - 2;
/**
 * Placements after which every threshold is reached: of n tiles placed beside one there, all but CELLS must have merged with
 * others, for a quarter of 4 points or more each time. (Not where a tile is the goal: see `TableOptions`.)
 */
const MOST_BY_SCORE: i32 = (1 << VALUE_BITS) + CELLS;
/** Most placements on a path. */
export const MAX_PLACEMENTS: i32 = MOST_BY_SUM < MOST_BY_SCORE ? MOST_BY_SUM : MOST_BY_SCORE;
