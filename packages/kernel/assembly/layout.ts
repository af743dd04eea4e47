/*
 * One linear memory, shared by all threads. Nothing in it is laid out by the compiler (shared memory
 * and static data do not mix); every address is a constant of the shape or follows from the number
 * of threads and buckets. The tables of `boards` come first (see its `layout.ts`), then
 *
 *     BUSY           which nodes are being searched by whom       written by all
 *     threads        one block each: control words, journal, …    written by its thread, but for some control words
 *     table          buckets of entries, unless it has memories    written by all, a word at a time
 *                    of its own
 */
import { BOARDS_END } from "../../boards/assembly/layout";
import { CELLS } from "../../boards/assembly/shape";
import { MAX_PLACEMENTS } from "./limits";

/** 8 bytes a slot: keys of nodes under search. A lost or foreign key costs time only. */
export const BUSY: usize = BOARDS_END;
/** Some times the nodes on the stacks of many threads, a hundred or two each. */
export const BUSY_SLOTS_LOG2: i32 = 14;
/** The first thread's block. */
export const THREADS: usize = (BUSY + (8 << BUSY_SLOTS_LOG2) + 63) & ~63;

/** Control words of a thread, at the start of its block; the loader reads and writes them too. */
export const STOP: usize = 0; // i32, set by the loader: stop at the next poll
export const POSITIONS: usize = 8; // u64, positions expanded
export const AFTERSTATES: usize = 16; // u64, afterstates expanded
export const JOURNAL_EFFORT: usize = 24; // i32 for each reader, set by the loader: least effort it takes; 0: nothing
export const JOURNAL_WRITTEN: usize = 32; // u32, records ever written
export const JOURNAL_MISSED: usize = 36; // u32, records that found the journal full
export const JOURNAL_READ: usize = 40; // u32 for each reader, set by the loader: records ever read
export const REUSE_EFFORT: usize = 48; // i32, set by the loader: effort given to entries that prove of use; 0: none
export const ANNOUNCE_AFTER: usize = 52; // i32, set by the loader: nodes before a node is announced; 0: none is
export const STEP: usize = 56; // i32, set by the loader: the step that is to be made; 0: none is waited for
export const STEPPED: usize = 60; // i32, the last step that was made
export const CONTROL_BYTES: i32 = 64;

/** Readers that a journal may have at the same time: one keeps what was learned, one passes it on. */
export const JOURNAL_READERS: usize = 2;

/** Bytes of a child in a list; see `moves.ts`. */
export const CHILD_BYTES: i32 = 16;
/** Bytes of a list of a position's slides: a head, and four children at most. */
export const SLIDES_BYTES: i32 = 16 + 4 * CHILD_BYTES;
/** Bytes of an afterstate's frame: its replies, and the slides of each. */
export const FRAME_BYTES: i32 = 2 * CELLS * (CHILD_BYTES + SLIDES_BYTES);

/** Most nodes on a path: a slide and a placement at a time. */
const MAX_DEPTH: i32 = 2 * (MAX_PLACEMENTS + 2);
/** Room for the frames of the longest possible game. */
export const STACK_BYTES: i32 = (MAX_DEPTH / 2) * FRAME_BYTES + SLIDES_BYTES;
/** What sliding makes of the afterstate whose replies are looked at; see `moves.ts`. */
export const SLID_BYTES: i32 = 4 * (32 + 16 * 4);
/** 16 bytes for each node on the path: its key, the threshold asked. */
export const PATH_BYTES: i32 = 16 * MAX_DEPTH;
/**
 * A bound outside the table, 16 bytes: the mixed key (u64; see `keys.ts`), lo (u16), hi (u16), both points
 * / 4, and effort (u32). With effort 0 it is no bound, but says that the node is under search.
 */
export const RECORD_BYTES: i32 = 16;
/** Room through which records are read out and put back. */
export const TRANSFER_RECORDS: i32 = 4096;
export const TRANSFER_BYTES: i32 = TRANSFER_RECORDS * RECORD_BYTES;
/** Records that a thread's journal holds until they are read: a power of two. */
export const JOURNAL_RECORDS: u32 = 1 << 16;
const JOURNAL_BYTES: u32 = JOURNAL_RECORDS * RECORD_BYTES;
/** Records whose buckets are fetched together. */
export const FETCHED_RECORDS: i32 = 64;
/**
 * Numbers of buckets to be fetched together, 4 bytes each: of those records, or of the slides after all replies to an
 * afterstate; and room for three more.
 */
const FETCHES_BYTES: i32 = (max(2 * CELLS * 4, FETCHED_RECORDS) + 3) * 4;

/** Where a thread's block has what, from its start. */
export const TRANSFER: usize = CONTROL_BYTES;
export const JOURNAL: usize = TRANSFER + TRANSFER_BYTES;
export const PATH: usize = JOURNAL + JOURNAL_BYTES;
export const SLID: usize = PATH + PATH_BYTES;
export const FETCHES: usize = SLID + SLID_BYTES;
export const FRAMES: usize = FETCHES + FETCHES_BYTES;
export const THREAD_BYTES: i32 = <i32>((FRAMES + STACK_BYTES + 63) & ~63);
