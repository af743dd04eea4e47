/*
 * Layout of the linear memory, which all threads share. The compiler lays out nothing in it (shared
 * memory and static data do not mix); every address is a constant of the shape or follows from the
 * number of threads and buckets. The tables of `boards` come first (see its `layout.ts`), then
 *
 *     BUSY           keys of the nodes being searched             written by all threads
 *     NEWS           u32, batches that have come from elsewhere   written by the loader's threads
 *     threads        one block each: control words, journal, …    written by its thread, but for some words
 *     table          buckets of entries, unless it is in shards   written by all, a word at a time
 */
import { BOARDS_END } from "../../boards/assembly/layout";
import { CELLS } from "../../boards/assembly/shape";
import { CHILD_BYTES, SLIDES_BYTES } from "./children";
import { MAX_PLACEMENTS } from "./limits";
import { BoundRecord } from "./record";

/** 8 bytes per slot: keys of nodes being searched. A lost key costs only time. */
export const BUSY: usize = BOARDS_END;
/** Several times the nodes on the stacks of many threads, one or two hundred each. */
export const BUSY_SLOTS_LOG2: i32 = 14;
/** u32: how often records were merged into the table. */
export const NEWS: usize = BUSY + (8 << BUSY_SLOTS_LOG2);
/** Address of the first thread's block. */
export const THREADS: usize = (NEWS + 4 + 63) & ~63;

/** Control words of a thread, at the start of its block; the loader reads and writes them too. */
export const STOP: usize = 0; // i32, set by the loader: nonzero stops the search at the next poll
export const POSITIONS: usize = 8; // u64, positions expanded
export const AFTERSTATES: usize = 16; // u64, afterstates expanded
export const JOURNAL_EFFORT: usize = 24; // i32, set by the loader: least effort to record; 0: no records
export const JOURNAL_WRITTEN: usize = 28; // u32, total records written
export const JOURNAL_MISSED: usize = 32; // u32, records that found the journal full
export const JOURNAL_READ: usize = 36; // u32, set by the reader: total records read
export const STEP: usize = 40; // i32, set by the loader: number of the step to take next; 0: do not stop between steps
export const STEPPED: usize = 44; // i32, number of the step that the thread has taken
export const CONTROL_BYTES: i32 = 64; // a cache line

/** Bytes of an afterstate's frame: its replies, and the slides of each. */
export const FRAME_BYTES: i32 = 2 * CELLS * (CHILD_BYTES + SLIDES_BYTES);

/** Maximum number of nodes on a path, which alternates slides and placements. */
const MAX_DEPTH: i32 = 2 * (MAX_PLACEMENTS + 2);
/** Bytes for the frames of the longest possible game. */
export const STACK_BYTES: i32 = (MAX_DEPTH / 2) * FRAME_BYTES + SLIDES_BYTES;
/** A board slid in one direction. "In direction i" is explained in `moves.ts`. */
@unmanaged
export class SlidImage {
  /** The slide image. */
  image: u64;
  /** The image, slid. */
  slid: u64;
  /** Points / 4. */
  score: i32;
  /** Lines that the slide changes, one bit each. */
  changed: i32;
  unused: u64;
}
/** Bytes of a {@link SlidImage} and, after it, points / 4 of each line, i32 × 16. */
export const SLID_IMAGE_BYTES: i32 = offsetof<SlidImage>() + 16 * 4;
/** Bytes for the slides of the afterstate whose replies are generated; see `moves.ts`. */
export const SLID_BYTES: i32 = 4 * SLID_IMAGE_BYTES;
/** A node on the path. */
@unmanaged
export class PathNode {
  key: u64;
  /** The threshold asked, points / 4. */
  threshold: i32;
  unused: i32;
}
export const PATH_NODE_BYTES: i32 = offsetof<PathNode>();
export const PATH_BYTES: i32 = PATH_NODE_BYTES * MAX_DEPTH;
export const RECORD_BYTES: i32 = offsetof<BoundRecord>();
/** Capacity, in records, of the area through which records are read and written. */
export const TRANSFER_RECORDS: i32 = 4096;
export const TRANSFER_BYTES: i32 = TRANSFER_RECORDS * RECORD_BYTES;
/** Capacity, in records, of a thread's journal: a power of two. */
export const JOURNAL_RECORDS: u32 = 1 << 16;
const JOURNAL_BYTES: u32 = JOURNAL_RECORDS * RECORD_BYTES;
/** Number of packed records whose buckets are fetched together. */
export const FETCHED_RECORDS: i32 = 64;
/**
 * Numbers of buckets to fetch together, 4 bytes each: for those records, or for the slides after
 * all replies to an afterstate; and room for three more.
 */
const FETCHES_BYTES: i32 = (max(2 * CELLS * 4, FETCHED_RECORDS) + 3) * 4;
const UNPACKED_BYTES: i32 = FETCHED_RECORDS * RECORD_BYTES;

/** Offsets in a thread's block. */
export const TRANSFER: usize = CONTROL_BYTES;
export const JOURNAL: usize = TRANSFER + TRANSFER_BYTES;
export const PATH: usize = JOURNAL + JOURNAL_BYTES;
export const SLID: usize = PATH + PATH_BYTES;
export const FETCHES: usize = SLID + SLID_BYTES;
export const UNPACKED: usize = FETCHES + FETCHES_BYTES;
export const FRAMES: usize = UNPACKED + UNPACKED_BYTES;
export const THREAD_BYTES: i32 = <i32>((FRAMES + STACK_BYTES + 63) & ~63);
