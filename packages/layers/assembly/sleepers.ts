/*
 * The nodes that watched a board when their block was saved. A file has the slide to that board, but
 * to find all these boards again would take longer than to read everything else, and few of them are
 * settled before the block is saved again. So after a block is read, these nodes sleep: they are in
 * buckets, by the low bits of the watched board's key, which the file has too. When a board is
 * settled, the nodes in its bucket that watch it are woken.
 *
 * Buckets are lists of nodes; there are at least as many as nodes at first, a power of two.
 */
import { BlockNode } from "./nodes";
import { pagesFor, takePages } from "./pages";
import { block, owner } from "./residents";

/** Bits of a watched board's key in a file. */
const MARK_BITS: u32 = 24;
/** Bytes of these bits. */
export const MARK_BYTES: u32 = MARK_BITS >> 3;

/** Returns the bits of a key by which sleeping nodes are found. */
@inline
export function markOf(key: u64): u32 {
  return <u32>key & ((1 << MARK_BITS) - 1);
}

/** Returns the highest bits of a mark, which a node keeps. */
@inline
function tagIn(mark: u32): u8 {
  return <u8>(mark >> (MARK_BITS - 8));
}

@inline
function bucketOf(mark: u32): usize {
  return block.buckets + ((<usize>(mark & block.bucketMask)) << 2);
}

/** Makes empty buckets in the current block, for `count` nodes. */
export function makeBuckets(count: u32): void {
  if (count == 0) return;
  const bits = min(32 - clz(count), MARK_BITS);
  const bytes = (<usize>4) << bits;
  block.buckets = takePages(pagesFor(bytes), owner);
  block.bucketMask = (1 << bits) - 1;
  clearBuckets();
}

/** Empties the buckets of the current block. */
export function clearBuckets(): void {
  if (block.buckets != 0) memory.fill(block.buckets, 0, (<usize>block.bucketMask + 1) << 2);
}

/** Lets a node sleep, given the mark of the board that it watches. */
export function sleep(node: BlockNode, mark: u32): void {
  const bucket = bucketOf(mark);
  node.tag = tagIn(mark);
  node.next = load<BlockNode | null>(bucket);
  store<BlockNode>(bucket, node);
}

/** Returns the first node in a key's bucket. */
@inline
export function firstSleeper(key: u64): BlockNode | null {
  return block.buckets == 0 ? null : load<BlockNode | null>(bucketOf(markOf(key)));
}

/** Takes the sleeping nodes that watch a board, given its key; returns the first of a list of them. */
export function takeSleepers(key: u64): BlockNode | null {
  const mark = markOf(key);
  let taken: BlockNode | null = null;
  let before: BlockNode | null = null;
  for (let node = firstSleeper(key); node; ) {
    const next = node.next;
    if (node.tag != tagIn(mark) || node.watchedKey() != key) before = node;
    else {
      if (before) before.next = next;
      else store<BlockNode | null>(bucketOf(mark), next);
      node.next = taken;
      taken = node;
    }
    node = next;
  }
  return taken;
}
