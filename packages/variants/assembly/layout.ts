/*
 * Layout of the linear memory, which all threads share. The tables of `boards` come first (see its
 * `layout.ts` and `moves.ts`), then
 *
 *     control   work distribution and counts              written by all threads, atomically
 *     rules     the variant: a {@link Rule} per state     written by the loader
 *     scratch   placements on the afterstate in hand      written by each thread in a part of its own
 *     list      the positions of a layer                  written by the loader
 *     tables    hash tables of boards, with their values  written by all threads
 *
 * There is a table of afterstates, and a ring of tables of positions: the table of a tile sum is
 * number (sum / 2) mod (largest tile / 2 + 1), so that a layer and all layers that a placement
 * leads to have tables of their own. All tables and the list have the same number of places, a
 * power of two; see `attach`.
 */
import { MOVES_END } from "../../boards/assembly/moves";

/** i32: the next position of the list that no thread has taken. */
export const CURSOR: usize = MOVES_END;
/** i32: nonzero once a table is too full to continue. */
export const FULL: usize = CURSOR + 4;
/** i32: number of positions without a slide. */
export const TERMINALS: usize = CURSOR + 8;
/** i32 each: number of boards in each table. */
export const COUNTS: usize = CURSOR + 64;
export const MAX_TABLES: i32 = 48;

/** Largest number of states of a variant. */
export const MAX_STATES: i32 = 64;
/** Largest number of options of the placer in a state: each a tile and the state that follows. */
export const MAX_OPTIONS: i32 = 16;

/** The exponents of the placer's tiles: their number, then each, i32. */
export const TILES: usize = COUNTS + 4 * MAX_TABLES;
export const MAX_TILES: i32 = 8;
/** The rule of a state, as the loader writes it (`src/arena.ts`); its options follow. */
@unmanaged
export class Rule {
  /** Directions that the slider may use: bits 0 … 3 for left, right, up and down. */
  directions: i32;
  /** State after the slider passes, or −1 if it may not. */
  pass: i32;
  /** Number of options. */
  options: i32;
  /** 1 if the cell is chosen before the option, else 0. */
  cellFirst: i32;
  /** Who chooses the option, and who the cell: see the constants in `rules.ts`. */
  optionChooser: i32;
  cellChooser: i32;
  /** Probability with which they choose; otherwise chance chooses both. */
  share: f64;
}

/** An option of the placer. */
@unmanaged
export class Option {
  /** Number of its tile. */
  tile: i32;
  /** State that follows. */
  next: i32;
  /** Weight for chance. */
  weight: f64;
}

/** A placement on the afterstate in hand. */
@unmanaged
export class Placement {
  /** Address of the values of the position that follows. */
  values: u32;
  /** Number of the symmetry that makes that position canonical; set only if symmetries change states. */
  symmetry: u32;
}
export const PLACEMENT_BYTES: i32 = offsetof<Placement>();

/** The rule of each state. */
export const RULES: usize = (TILES + 4 * (MAX_TILES + 1) + 63) & ~63;
export const RULE_BYTES: i32 = offsetof<Rule>() + offsetof<Option>() * MAX_OPTIONS;
/** i32 for each of 8 symmetries and each state: its image, a state. */
export const IMAGES: usize = RULES + RULE_BYTES * MAX_STATES;

/** A part for each thread: a {@link Placement} for each empty cell and tile. */
export const SCRATCH: usize = (IMAGES + 4 * 8 * MAX_STATES + 63) & ~63;
export const SCRATCH_BYTES: i32 = 16 * MAX_TILES * PLACEMENT_BYTES;
export const MAX_THREADS: i32 = 256;

/** Address of the list. */
export const LIST: usize = SCRATCH + SCRATCH_BYTES * MAX_THREADS;
