/*
 * One linear memory, shared by all threads. The kernel's tables of permutations and lines come first, then
 *
 *     PLACED     images of a 2 in each cell                    written once, by `prepare`
 *     control    what the threads share out and count          written by all, atomically
 *     tables     hash tables of boards, each with a value      written by all, a word at a time
 *     lists      the positions of a layer and their values     written by the loader and by all
 *
 * Tables and lists have one size, a power of two; see `attach`.
 */
import { LINES, STRETCH } from "../../kernel/assembly/layout";

/** 64 bytes a cell: the images of a board with a 2 there and nothing else, in the order of the symmetries. */
export const PLACED: usize = (LINES + (8 << (4 * STRETCH)) + 63) & ~63;
const CONTROL: usize = PLACED + 64 * 16;

/** i32: the next position of the list that no thread has taken. */
export const CURSOR: usize = CONTROL;
/** i32: not 0 once a table is too full to go on. */
export const FULL: usize = CONTROL + 4;
/** i32 each: keys in the tables of positions and in the table of afterstates. */
export const COUNTS: usize = CONTROL + 8;
/** i32: positions without a slide. */
export const TERMINALS: usize = CONTROL + 20;

/** The tables and lists. */
export const AREA: usize = CONTROL + 64;

/** The table of afterstates; those of positions, of two sums, are 0 and 1. */
export const AFTERSTATES: i32 = 2;
export const TABLES: i32 = 3;
export const LISTS: i32 = 2;

/** Bytes of each slot of a table and of each place of a list: a board and its value. */
export const ENTRY_BYTES: i32 = 16;
