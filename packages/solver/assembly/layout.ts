/*
 * Layout of the linear memory, which all threads share. The tables of `boards` come first (see its
 * `layout.ts`), then
 *
 *     CONTROL     what the threads have in common   written by all, atomically where two may at once
 *     threads     one area each                     written by its thread
 *     arenas      four of equal size                claims or a table of demands each (`demands.ts`)
 *
 * Memory that is never touched is never taken from the system, so areas have room for the most that
 * they can hold.
 */
import { BOARDS_END } from "../../boards/assembly/layout";
import { CELLS } from "../../boards/assembly/shape";
import { SLIDES_BYTES } from "../../kernel/assembly/children";
import { SLID_BYTES } from "../../kernel/assembly/layout";

/** The most claims of a batch, which its threads expand before they enter the demands of all. */
export const MOST_BATCH: i32 = 16_384;
/** The most demands for one claim: all replies with one tile to a slide, and one to each slide. */
const MOST_DEMANDS: i32 = CELLS - 1 + 4;

/** A claim, or a demand for one, about a canonical position. Points are divided by 4. */
@unmanaged
export class Claim {
  /** The board; 0: an empty slot. */
  board: u64;
  /** Lower bound; 0: none. */
  lo: u32;
  /** Of a claim: upper bound + 1. Of a demand: {@link MOST_HI} − upper bound. 0: none. */
  hi: u32;
}
export const CLAIM_BYTES: i32 = offsetof<Claim>();
/** Above the largest upper bound of the kernel's tables. */
export const MOST_HI: u32 = 0x8000;

/** A table of demands on one tile sum, in an arena. */
@unmanaged
export class Table {
  /** Address of its slots. */
  at: usize;
  /** Number of its slots. */
  slots: u32;
  /** Number of demands. */
  count: u32;
  /** Demands about to be entered, some of them more than once. */
  pending: u32;
}

/** The most slots of an arena, and addresses of the tables and of the arena without any. */
export const ARENA_SLOTS: usize = (BOARDS_END + 63) & ~63;
export const SPARE: usize = ARENA_SLOTS + 4;
/** Set by the loader: nonzero if slides are ranked by pairs and points, too; see `expand.ts`. */
export const BY_POINTS: usize = ARENA_SLOTS + 8;
/** Demands on boards with a 2 more, and with a 4 more, than those of the claims. */
export const NEAR: usize = ARENA_SLOTS + 64;
export const FAR: usize = NEAR + 32;
/** Address and number of the claims being expanded, and of those in a batch. */
export const CLAIMS: usize = FAR + 32;
export const CLAIM_COUNT: usize = CLAIMS + 4;
export const BATCH: usize = CLAIMS + 8;
/** Indices of the next claim to take, and of the first one after the batch. */
export const NEXT: usize = CLAIMS + 64;
export const BATCH_END: usize = NEXT + 4;
/** What the threads do; see `work.ts`. */
export const PHASE: usize = NEXT + 8;
/** Set by the loader: nonzero stops the threads. */
export const STOP: usize = NEXT + 12;
/** Threads at the barrier, and the number of barriers passed. */
export const ARRIVED: usize = NEXT + 64;
export const ROUND: usize = ARRIVED + 4;
/** A claim that is not true: its side (0: none), its bound, its board. */
export const WRONG: usize = ARRIVED + 64;
export const WRONG_VALUE: usize = WRONG + 4;
export const WRONG_BOARD: usize = WRONG + 8;
const THREADS: usize = WRONG + 64;

/** A reply to a slide, and the demand on it. */
@unmanaged
export class Reply {
  board: u64;
  /** Address of the table, and of the first slot that may hold the board. */
  table: usize;
  slot: usize;
  /** The demand's bounds as in the table. */
  lo: u32;
  hi: u32;
}
export const REPLY_BYTES: i32 = offsetof<Reply>();
/** Bytes of the replies to one slide. */
export const REPLIES_BYTES: i32 = 2 * CELLS * REPLY_BYTES;

/** What is known of a slide when a claim is expanded. */
@unmanaged
export class Choice {
  /** Number of different replies, and of those on which there is no sufficient demand. */
  replies: i32;
  missing: i32;
  /** The lowest is tried first. */
  rank: i32;
  unused: i32;
}
export const CHOICE_BYTES: i32 = offsetof<Choice>();

/** Offsets in a thread's area; see `expand.ts`. */
export const CHOICES: usize = 0;
export const SLIDES: usize = CHOICES + 4 * CHOICE_BYTES;
export const OTHER_SLIDES: usize = SLIDES + SLIDES_BYTES;
export const SLID: usize = OTHER_SLIDES + SLIDES_BYTES;
export const REPLIES: usize = SLID + SLID_BYTES;
/** Number of demands to enter into each table, and the demands. */
export const NEAR_COUNT: usize = REPLIES + 4 * REPLIES_BYTES;
export const FAR_COUNT: usize = NEAR_COUNT + 4;
export const NEAR_DEMANDS: usize = NEAR_COUNT + 8;
export const FAR_DEMANDS: usize = NEAR_DEMANDS + MOST_BATCH * MOST_DEMANDS * CLAIM_BYTES;
const THREAD_BYTES: i32 = <i32>(FAR_DEMANDS + MOST_BATCH * MOST_DEMANDS * CLAIM_BYTES + 63) & ~63;

/** Returns the address of a thread's area, or of the first arena for the number of threads. */
export function threadAt(thread: i32): usize {
  return THREADS + thread * THREAD_BYTES;
}
