/*
 * The nodes that watched a board when their block was saved. A file has the slide to that board, but
 * to find all these boards again would take longer than to read everything else, and few of them are
 * settled before the block is saved again. So after a block is read, these nodes sleep: they are in
 * buckets, by the low bits of the watched board's key, which the file has too. When a board is
 * settled, the nodes in its bucket that watch it are woken.
 *
 * Buckets are lists of nodes; there are at least as many as nodes at first, a power of two.
 */
import { pagesFor, takePages } from "./pages";
import { Entered, ownerOf } from "./residents";
import { nextInList, setNextInList, setTag, tagOf, watchedKey } from "./nodes";

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
  return Entered.bucketsAt + ((<usize>(mark & Entered.bucketMask)) << 2);
}

/** Makes empty buckets in the current block, for `count` nodes. */
export function makeBuckets(count: u32): void {
  if (count == 0) return;
  const bits = min(32 - clz(count), MARK_BITS);
  const bytes = (<usize>4) << bits;
  Entered.bucketsAt = takePages(pagesFor(bytes), ownerOf(Entered.place));
  Entered.bucketMask = (1 << bits) - 1;
  clearBuckets();
}

/** Empties the buckets of the current block. */
export function clearBuckets(): void {
  if (Entered.bucketsAt != 0)
    memory.fill(Entered.bucketsAt, 0, (<usize>Entered.bucketMask + 1) << 2);
}

/** Lets a node sleep, given the mark of the board that it watches. */
@inline
export function sleep(node: usize, mark: u32): void {
  const bucket = bucketOf(mark);
  setTag(node, tagIn(mark));
  setNextInList(node, load<u32>(bucket));
  store<u32>(bucket, <u32>node);
}

/** Returns the first node in a key's bucket, or 0. */
@inline
export function firstSleeper(key: u64): usize {
  return Entered.bucketsAt == 0 ? 0 : load<u32>(bucketOf(markOf(key)));
}

/** Takes the sleeping nodes that watch a board, given its key; returns the first of a list of them. */
export function takeSleepers(key: u64): usize {
  const mark = markOf(key);
  let taken: usize = 0;
  let before: usize = 0;
  for (let node = firstSleeper(key); node != 0; ) {
    const next = nextInList(node);
    if (tagOf(node) != tagIn(mark) || watchedKey(node) != key) before = node;
    else {
      if (before == 0) store<u32>(bucketOf(mark), <u32>next);
      else setNextInList(before, next);
      setNextInList(node, taken);
      taken = node;
    }
    node = next;
  }
  return taken;
}
