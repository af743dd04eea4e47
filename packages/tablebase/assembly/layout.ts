/*
 * Layout of the linear memory, which all threads share. The tables of `boards` come first (see its
 * `layout.ts` and `moves.ts`), then
 *
 *     control   work distribution and counts              written by all threads, atomically
 *     survey    counts of moves                           written by all threads, atomically
 *     rules     a variant: a {@link Rule} for each state  written by the loader
 *     scratch   a part for each thread                    written by that thread
 *     lists     the positions of two layers               written by the loader and by all threads
 *     tables    hash tables of boards with their values   written by all threads
 *
 * `tables.ts` divides the last two.
 */
import { MOVES_END } from "../../boards/assembly/moves";
import { CELLS, COL_COUNT, ROW_COUNT } from "../../boards/assembly/shape";

/** Exponent of the largest tile that a placer may have. */
export const MAX_TILE_EXPONENT: i32 = 4;
// n cells hold no tile larger than 2^(n − 1) times the largest that is placed.
if (CELLS - 1 + MAX_TILE_EXPONENT > 15) ERROR("four bits cannot hold the largest tile");
/** Tables of positions: of a sum and of all sums to which a placement leads; and of afterstates. */
const MAX_TABLES: i32 = 1 + (1 << (MAX_TILE_EXPONENT - 1)) + 1;

/** i32: the next position of the list that no thread has taken. */
export const CURSOR: usize = MOVES_END;
/** Positions that a thread takes at a time: tens of microseconds of work. */
export const CHUNK: i32 = 64;
/** i32: nonzero once a table is too full to continue. */
export const FULL: usize = CURSOR + 4;
/** i32: number of positions without a slide. */
export const TERMINALS: usize = CURSOR + 8;
/** i32 each: number of boards in each table. */
export const COUNTS: usize = CURSOR + 64;

/** Results of surveys, see `survey.ts`: u64s for the hardest afterstates, the hardest first, … */
export const HARDEST: usize = (COUNTS + 4 * MAX_TABLES + 63) & ~63;
export const HARDEST_KEPT: i32 = 10;
/** … the keys of two boards of mutual zugzwang, … */
export const LARGEST_LOSS: usize = HARDEST + 8 * HARDEST_KEPT;
export const SMALLEST_LOSS: usize = LARGEST_LOSS + 8;
/** … i32: the part that the next thread takes, … */
export const NEXT_PART: usize = SMALLEST_LOSS + 8;
/**
 * … and parts of u64 counts: those listed in `survey.ts`, five kinds of slides in each direction,
 * and two for each tile, kind of distance and distance (in steps between cells; 0 for none).
 */
export const SURVEY: usize = (NEXT_PART + 4 + 63) & ~63;
export const SLIDES_AT: i32 = 24;
export const PLACEMENTS_AT: i32 = SLIDES_AT + 4 * 5;
export const DISTANCES: i32 = ROW_COUNT + COL_COUNT - 1;
export const SURVEY_BYTES: i32 = 8 * (PLACEMENTS_AT + 8 * DISTANCES);
export const SURVEY_PARTS: i32 = 16;

/** Largest number of states of a variant. */
export const MAX_STATES: i32 = 64;
/** Largest number of options of the placer in a state. */
export const MAX_OPTIONS: i32 = 16;

/** The rule of a state; its options follow. */
@unmanaged
export class Rule {
  /** Directions that the slider may use: bits 0 … 3 for left, right, up and down. */
  directions: i32;
  /** State after the slider passes, or −1 if it may not. */
  pass: i32;
  /** Number of options. */
  options: i32;
  /** True if the cell is chosen before the option. */
  cellFirst: bool;
  /** The sides that choose the option and the cell; see the constants in `rules.ts`. */
  optionChooser: i32;
  cellChooser: i32;
  /** Probability with which they choose; otherwise chance chooses both. */
  share: f64;
}

/** An option of the placer. */
@unmanaged
export class Option {
  /** Exponent of its tile. */
  exponent: i32;
  /** State that follows. */
  next: i32;
  /** Weight for chance. */
  weight: f64;
}

/** The rule of each state. */
export const RULES: usize = (SURVEY + SURVEY_BYTES * SURVEY_PARTS + 63) & ~63;
export const RULE_BYTES: i32 = offsetof<Rule>() + offsetof<Option>() * MAX_OPTIONS;
/** i32 for each of 8 symmetries and each state: its image, a state. */
export const IMAGES: usize = RULES + RULE_BYTES * MAX_STATES;

/** A table to which a thread adds boards. */
@unmanaged
export class Target {
  /** Its address, and its number. */
  table: usize;
  number: i32;
  /** Boards that the thread has added and not yet counted. */
  added: i32;
}

/** A placement on the afterstate in hand, of a tile in an empty cell. */
@unmanaged
export class Placement {
  /** Address of the values of the position that follows. */
  values: usize;
  /** The symmetry that makes that position canonical; set only if symmetries change states. */
  symmetry: i32;
}

/** Targets in a thread's scratch: the afterstates, then positions after a tile of each exponent. */
export const TARGETS: i32 = 1 + MAX_TILE_EXPONENT;
/** Offset of its placements: one for each empty cell and exponent. */
export const PLACEMENTS_FROM: i32 = TARGETS * offsetof<Target>();
export const SCRATCH_BYTES: i32 =
  (PLACEMENTS_FROM + CELLS * MAX_TILE_EXPONENT * offsetof<Placement>() + 63) & ~63;

/** Address of the scratch of all threads. */
export const SCRATCH: usize = (IMAGES + 4 * 8 * MAX_STATES + 63) & ~63;
