/*
 * Layout of the linear memory, which all threads share. The tables of `boards` come first (see its
 * `layout.ts`), then
 *
 *     LOCK        held by the thread that takes or returns pages (`pages.ts`), and words of the host
 *     OWNERS      the block that owns each page
 *     BLOCKS      the state of each block (`residents.ts`)
 *     threads     one private area each
 *     pages
 *     marks       on the lines of tables that have changed (`changes.ts`)
 */
import { BOARDS_END } from "../../boards/assembly/layout";
import { CELLS } from "../../boards/assembly/shape";
import { FRAME_BYTES, SLID_BYTES } from "../../kernel/assembly/layout";

/** The most layers of a block. */
export const RANGE: i32 = 8;

export const LOCK: usize = (BOARDS_END + 63) & ~63;
/** Bytes of a page. */
export const PAGE_LOG2: i32 = 14;
export const PAGE_BYTES: usize = 1 << PAGE_LOG2;
/** Pages of the largest memory, 4 GiB. */
const MAX_PAGES: usize = 1 << (32 - PAGE_LOG2);
/** u16 for each page. */
export const OWNERS: usize = LOCK + 64;
/** Maximum number of blocks known to the threads of a memory; a power of two. */
export const MAX_BLOCKS: u32 = 1 << 15;
export const BLOCK_BYTES: u32 = 128;
export const BLOCKS: usize = OWNERS + 2 * MAX_PAGES;
const THREADS: usize = BLOCKS + MAX_BLOCKS * BLOCK_BYTES;

/**
 * Nodes of a batch. What their processing will read is read first, by tight loops, so that the
 * processor waits for many reads at once; all of it fits into the fastest cache.
 */
export const BATCH: usize = 16;
/** Bytes per look-up: u64 key, u32 address of the key's home, u32 not used. */
export const LOOK_BYTES: i32 = 16;
/** Bytes per layer for its queues; see `queues.ts`. */
export const QUEUES_BYTES: i32 = 24;
/**
 * Bytes of a stage: a thread reads files and letters through one, and writes them through another.
 */
export const STAGE_BYTES: usize = 1 << 18;

/* Offsets in a thread's area. */
/** Slides of the current board (kernel's `moves.ts`). */
export const SLID: usize = 0;
/** Its replies and their slides. */
export const FRAME: usize = SLID + SLID_BYTES;
/** Bounds to look up for it: a node has at most four slides after each reply. */
export const LOOKS: usize = (FRAME + FRAME_BYTES + 7) & ~7;
/** Queues of the layers, and of the boards of other blocks. */
export const QUEUES: usize = LOOKS + 2 * CELLS * 4 * LOOK_BYTES;
/** Slots to save next, a batch of addresses. */
export const SAVED: usize = QUEUES + (RANGE + 1) * QUEUES_BYTES;
export const STAGE_IN: usize = (SAVED + BATCH * 4 + 63) & ~63;
export const STAGE_OUT: usize = STAGE_IN + STAGE_BYTES;
const THREAD_BYTES: usize = STAGE_OUT + STAGE_BYTES;

/** Returns the address of a thread's area. */
export function threadAt(thread: u32): usize {
  return THREADS + <usize>thread * THREAD_BYTES;
}

/** Returns the address of the first page, after the areas of `threads` threads. */
export function pagesAt(threads: u32): usize {
  return (threadAt(threads) + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1);
}
