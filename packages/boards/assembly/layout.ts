/*
 * The beginning of the linear memory of every module that is built on this package. Nothing in it is laid out by the
 * compiler (shared memory and static data do not mix): every address is a constant of the shape.
 *
 *     PERMUTATIONS   how cells move under symmetries          written once, by `prepareBoards`
 *     CELL_PLACES    where slide images have each cell        written once, by a module that needs it
 *     EARNINGS       what merging two tiles earns             written once, by `prepareEarnings`
 *     LINES          what sliding does to a stretch of cells  written once, by `prepareLines`
 *     BOARDS_END     where a module's own memory may begin
 */
import { COL_COUNT } from "./shape";

/** Cells of a longest stretch with a line-table entry of its own; longer lines are folded from such stretches. */
export const STRETCH: i32 =
  COL_COUNT <= 4 ? COL_COUNT : COL_COUNT % 4 == 0 || COL_COUNT == 7 || COL_COUNT > 9 ? 4 : 3;

/** 16 bytes each: see `board.ts` for the twenty permutations. */
export const PERMUTATIONS: usize = 64;
/** 4 bytes for each of 16 cells in each of four slide images. */
export const CELL_PLACES: usize = PERMUTATIONS + 24 * 16;
/** 4 bytes for each exponent. */
export const EARNINGS: usize = CELL_PLACES + 4 * 16 * 4;
/** 8 bytes for each content of a stretch. */
export const LINES: usize = EARNINGS + 4 * 16;
/** A multiple of 8. */
export const BOARDS_END: usize = LINES + (8 << (4 * STRETCH));
