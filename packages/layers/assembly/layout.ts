/*
 * Layout of the linear memory, which all threads share. The tables of `boards` come first (see its
 * `layout.ts`), then
 *
 *     LOCK        held by the thread that takes or returns pages (`pages.ts`)
 *     OWNERS      the block that owns each page
 *     BLOCKS      the state of each block (`residents.ts`)
 *     threads     one private area each
 *     pages
 */
import { BOARDS_END } from "../../boards/assembly/layout";
import { CELLS } from "../../boards/assembly/shape";
import { CHILD_BYTES } from "../../kernel/assembly/children";
import { FRAME_BYTES, SLID_BYTES } from "../../kernel/assembly/layout";
import { BlockNode, Demand } from "./nodes";

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
/** A block known to the threads; see `residents.ts`. */
@unmanaged
export class Block {
  /** Its number + 1; 0: no block. */
  number: u64;
  /** The table: its address, slots, keys, keys for which it grows, pages. */
  table: usize;
  slots: u32;
  held: u32;
  most: u32;
  tablePages: i32;
  /** Nodes: the first free one, address of the next new one, end of new ones. */
  freeNode: BlockNode | null;
  nextNode: usize;
  nodesEnd: usize;
  /** Demands: the first free one, address of the next new one, end of new ones. */
  freeDemand: Demand | null;
  nextNewDemand: usize;
  demandsEnd: usize;
  /** Nodes of the block, and those of them that wait to be expanded. */
  liveNodes: u32;
  waitingNodes: u32;
  /** Stack of the nodes that wait to be expanded (`stacks.ts`). */
  waitingPage: usize;
  waitingNext: usize;
  /** Boards that have changed since the block was saved. */
  changedBoards: u32;
  /**
   * The packed boards (`packed.ts`): address of their directory, or 0, address of their records, bits
   * of a key below those of its bucket.
   */
  directory: usize;
  records: usize;
  keyShift: u32;
  boards: u32;
  /** Buckets of the nodes that sleep, or 0, and their number, less 1 (`sleepers.ts`). */
  buckets: usize;
  bucketMask: u32;
}
export const BLOCK_BYTES: u32 = offsetof<Block>();
export const BLOCKS: usize = OWNERS + 2 * MAX_PAGES;
const THREADS: usize = BLOCKS + MAX_BLOCKS * BLOCK_BYTES;

/**
 * Nodes of a batch. What their processing will read is read first, by tight loops, so that the
 * processor waits for many reads at once; all of it fits into the fastest cache.
 */
export const BATCH: usize = 16;
/** A bound to look up. */
@unmanaged
export class Look {
  key: u64;
  /** Address of the key's home. */
  home: usize;
  unused: u32;
}
export const LOOK_BYTES: i32 = offsetof<Look>();
/** Queues of a layer (`queues.ts`). Each has the page and the next entry of a stack (`stacks.ts`). */
@unmanaged
export class Queues {
  upPage: usize;
  upNext: usize;
  downPage: usize;
  downNext: usize;
  /** Number of nodes in the queue upward. */
  upNodes: u32;
  unused: u32;
}
export const QUEUES_BYTES: i32 = offsetof<Queues>();
/**
 * Bytes of a stage: a thread reads files and letters through one, and writes them through another.
 */
export const STAGE_BYTES: usize = 1 << 18;

/* Offsets in a thread's area. */
/** Slides of the current board (kernel's `moves.ts`). */
export const SLID: usize = 0;
/** Its replies, and the lists of the slides after them. */
export const FRAME: usize = SLID + SLID_BYTES;
export const LISTS: usize = FRAME + 2 * CELLS * CHILD_BYTES;
/** Bounds to look up for it: a node has at most four slides after each reply. */
export const LOOKS: usize = (FRAME + FRAME_BYTES + 7) & ~7;
/** Queues of the layers, and of the boards of other blocks. */
export const QUEUES: usize = LOOKS + 2 * CELLS * 4 * LOOK_BYTES;
export const STAGE_IN: usize = (QUEUES + (RANGE + 1) * QUEUES_BYTES + 63) & ~63;
export const STAGE_OUT: usize = STAGE_IN + STAGE_BYTES;
const THREAD_BYTES: usize = STAGE_OUT + STAGE_BYTES;

function threadAt(thread: u32): usize {
  return THREADS + <usize>thread * THREAD_BYTES;
}

/** The number of this thread, and the address of its area. */
export let thread: u32 = 0;
export let area: usize = 0;

export function attachThread(number: u32): void {
  thread = number;
  area = threadAt(number);
}

/** Returns the address of the first page, after the areas of `threads` threads. */
export function pagesAt(threads: u32): usize {
  return (threadAt(threads) + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1);
}
