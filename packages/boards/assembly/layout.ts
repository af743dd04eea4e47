/*
 * The beginning of the linear memory of every module built on this package. The compiler lays out
 * nothing in it (shared memory and static data do not mix): every address is a constant of the
 * shape.
 *
 *     PERMUTATIONS   permutations of cells under symmetries   written once, by `prepareBoards`
 *     CELL_PLACES    place of each cell in the slide images   written once, by modules that need it
 *     EARNINGS       points for merging two tiles             written once, by `prepareEarnings`
 *     LINES          slides of all stretches of cells         written once, by `prepareLines`
 *     BOARDS_END     first byte of a module's own memory
 */
import { COL_COUNT } from "./shape";

/**
 * Cells of the longest stretch that has line-table entries; longer lines are assembled from such
 * stretches.
 */
export const STRETCH: i32 =
  COL_COUNT <= 4 ? COL_COUNT : COL_COUNT % 4 == 0 || COL_COUNT == 7 || COL_COUNT > 9 ? 4 : 3;

/** 16 bytes each; `board.ts` lists the twenty permutations. */
export const PERMUTATIONS: usize = 64;
/** 4 bytes for each of 16 cells in each of four slide images. */
export const CELL_PLACES: usize = PERMUTATIONS + 24 * 16;
/** 4 bytes for each exponent. */
export const EARNINGS: usize = CELL_PLACES + 4 * 16 * 4;
/** 8 bytes for each content of a stretch. */
export const LINES: usize = EARNINGS + 4 * 16;
/** A multiple of 8. */
export const BOARDS_END: usize = LINES + (8 << (4 * STRETCH));
