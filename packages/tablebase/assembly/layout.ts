/*
 * Layout of the linear memory, which all threads share. The tables of `boards` come first (see its
 * `layout.ts` and `moves.ts`), then
 *
 *     control    work distribution and counts                  written by all threads, atomically
 *     tables     hash tables of boards, each with a value      written by all threads, a word at a time
 *     lists      the positions of a layer and their values     written by the loader and by all threads
 *
 * All tables and lists have the same size, a power of two; see `attach`.
 */
import { MOVES_END } from "../../boards/assembly/moves";

const CONTROL: usize = MOVES_END;

/** i32: the next position of the list that no thread has taken. */
export const CURSOR: usize = CONTROL;
/** Positions that a thread takes at a time: tens of microseconds of work. */
export const CHUNK: i32 = 64;
/** i32: nonzero once a table is too full to continue. */
export const FULL: usize = CONTROL + 4;
/** i32 each: number of keys in the tables of positions and in the table of afterstates. */
export const COUNTS: usize = CONTROL + 8;
/** i32: number of positions without a slide. */
export const TERMINALS: usize = CONTROL + 20;

/** Results of surveys, see `survey.ts`: a u64 for each of the hardest afterstates, the hardest first, … */
export const HARDEST: usize = CONTROL + 64;
export const HARDEST_KEPT: i32 = 10;
/** … the keys of two boards of mutual zugzwang, … */
export const LARGEST_LOSS: usize = HARDEST + 8 * HARDEST_KEPT;
export const SMALLEST_LOSS: usize = LARGEST_LOSS + 8;
/** … i32: the part that the next thread takes, … */
export const NEXT_PART: usize = SMALLEST_LOSS + 8;
/**
 * … and parts of u64 counts: those listed in `survey.ts`, five kinds of slides in each direction, and
 * two for each tile, kind of distance and distance.
 */
export const SURVEY: usize = (NEXT_PART + 4 + 63) & ~63;
export const SLIDES_AT: i32 = 24;
export const PLACEMENTS_AT: i32 = SLIDES_AT + 4 * 5;
export const DISTANCES: i32 = 10;
export const SURVEY_BYTES: i32 = 8 * (PLACEMENTS_AT + 8 * DISTANCES);
export const SURVEY_PARTS: i32 = 16;

/** Address of the tables and lists. */
export const AREA: usize = (SURVEY + SURVEY_BYTES * SURVEY_PARTS + 63) & ~63;

/** Number of the table of afterstates; tables 0 and 1 hold positions of two sums. */
export const AFTERSTATES: i32 = 2;
export const TABLES: i32 = 3;
export const LISTS: i32 = 2;

/** Bytes per slot of a table and per place of a list: a board and its value. */
export const ENTRY_BYTES: i32 = 16;
