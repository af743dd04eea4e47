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

/** Numbers of slides of one kind in each direction. */
@unmanaged
export class SlideCounts {
  left: u64;
  right: u64;
  up: u64;
  down: u64;
}
/** Numbers of worst placements, and of 4s among them. */
@unmanaged
export class WorstCounts {
  placements: u64;
  fours: u64;
}
/** Counts of a survey, see `survey.ts`: {@link SlideCounts} for each kind of slides, … */
export const SLIDE_COUNTS: usize = CONTROL + 64;
export const SLIDE_COUNTS_BYTES: usize = offsetof<SlideCounts>();
export const KINDS: i32 = 5;
/** … {@link WorstCounts}, … */
export const WORST_COUNTS: usize = SLIDE_COUNTS + SLIDE_COUNTS_BYTES * KINDS;
/** … and a u64 for each of the hardest afterstates, the hardest first. */
export const HARDEST: usize = WORST_COUNTS + offsetof<WorstCounts>();
export const HARDEST_KEPT: i32 = 10;

/** Counts of best play, see `habits.ts`: the keys of two boards of mutual zugzwang, … */
export const LARGEST_LOSS: usize = HARDEST + 8 * HARDEST_KEPT;
export const SMALLEST_LOSS: usize = LARGEST_LOSS + 8;
/** … i32: the part that the next thread takes, … */
export const NEXT_PART: usize = SMALLEST_LOSS + 8;
/** … and parts of u64 counts, the last of them two for each tile, kind of distance and distance. */
export const HABITS: usize = (NEXT_PART + 4 + 63) & ~63;
export const PLACEMENTS_AT: i32 = 24;
export const DISTANCES: i32 = 10;
export const HABITS_BYTES: i32 = 8 * (PLACEMENTS_AT + 8 * DISTANCES);
export const HABITS_PARTS: i32 = 16;

/** Address of the tables and lists. */
export const AREA: usize = (HABITS + HABITS_BYTES * HABITS_PARTS + 63) & ~63;

/** Number of the table of afterstates; tables 0 and 1 hold positions of two sums. */
export const AFTERSTATES: i32 = 2;
export const TABLES: i32 = 3;
export const LISTS: i32 = 2;

/** Bytes per slot of a table and per place of a list: a board and its value. */
export const ENTRY_BYTES: i32 = 16;
