/*
 * Stacks of nodes, in pages of the thread or of the block. Each page begins with the address of the
 * page before it, or 0. Its entries have 4 bytes.
 */
import { BATCH, PAGE_BYTES } from "./layout";
import { BlockNode } from "./nodes";
import { freeOwn, returnPages, takeOwn, takePages } from "./pages";

/** A stack. */
@unmanaged
class Stack {
  /** The last page, or 0. */
  page: usize;
  /** Address of the next entry. */
  next: usize;
}

const HEAD_BYTES: usize = 4;
export const ENTRY_BYTES: usize = 4;

@inline
function stackAt(at: usize): Stack {
  return changetype<Stack>(at);
}

/** Returns true if a stack has no page, or a full one. */
@inline
function isFull(stack: Stack): bool {
  return (stack.next & (PAGE_BYTES - 1)) == 0;
}

function beginPage(stack: Stack, page: usize): void {
  store<usize>(page, stack.page);
  stack.page = page;
  stack.next = page + HEAD_BYTES;
}

@inline
function append(stack: Stack, node: BlockNode): void {
  store<BlockNode>(stack.next, node);
  stack.next += ENTRY_BYTES;
}

/** Pushes a node to the stack at an address, in pages of the thread. */
export function push(at: usize, node: BlockNode): void {
  const stack = stackAt(at);
  if (isFull(stack)) beginPage(stack, takeOwn());
  append(stack, node);
}

/** Pushes a node to the stack at an address, in pages of a block. */
export function pushFor(block: u32, at: usize, node: BlockNode): void {
  const stack = stackAt(at);
  if (isFull(stack)) beginPage(stack, takePages(1, block));
  append(stack, node);
}

/** The last page of the stack that was taken, and the end of its remaining entries. */
let page: usize = 0;
let end: usize = 0;
/** True if its pages belong to the block. */
let isOfBlock: bool = false;
/** Addresses of the first entry of a batch, and of its end. */
export let batch: usize = 0;
export let batchEnd: usize = 0;

/** Takes all nodes from the stack at an address; {@link nextBatch} goes through them. */
export function take(at: usize, inPagesOfBlock: bool = false): void {
  isOfBlock = inPagesOfBlock;
  const stack = stackAt(at);
  page = stack.page;
  end = stack.next;
  stack.page = 0;
  stack.next = 0;
}

/* A loop reads ahead what will soon be needed, so that the processor waits for many reads at once. */
export let kept: u64 = 0;

/** Keeps the compiler from removing the reads that have made a sum. */
@inline
export function keep(sum: u64): void {
  kept += sum;
}

/**
 * Moves on to the next batch of the nodes that were taken, and reads these nodes. Returns false if
 * no node is left. Between batches, nodes may be pushed to any stack.
 */
export function nextBatch(): bool {
  if (page == 0) return false;
  if (end == page + HEAD_BYTES) {
    const before: usize = load<u32>(page);
    if (isOfBlock) returnPages(page, 1);
    else freeOwn(page);
    page = before;
    end = before + PAGE_BYTES;
    if (page == 0) return false;
  }
  batchEnd = end;
  batch = max(page + HEAD_BYTES, end - BATCH * ENTRY_BYTES);
  end = batch;
  let sum: u64 = 0;
  for (let at = batch; at < batchEnd; at += ENTRY_BYTES) sum += nodeAt(at).key;
  keep(sum);
  return true;
}

/** Returns the node of an entry. */
@inline
export function nodeAt(entry: usize): BlockNode {
  return load<BlockNode>(entry);
}
