/*
 * Stacks of nodes, in pages of the thread or of the block. Each page begins with the address of the
 * page before it, or 0. Its entries have 4 bytes.
 */
import { BATCH, PAGE_BYTES } from "./layout";
import { returnAll, returnPages, STACKS, takePages } from "./pages";

/** A stack. */
@unmanaged
class Stack {
  /** The last page, or 0. */
  page: u32;
  /** Address of the next entry. */
  next: u32;
}

const HEAD_BYTES: usize = 4;
export const ENTRY_BYTES: usize = 4;

let owner: u32 = STACKS;
/** The first of the thread's pages that no stack uses at present. */
let freePage: usize = 0;
/** Number of the thread's pages. */
let owned: i32 = 0;

export function attachStacks(thread: u32): void {
  owner = STACKS - thread;
}

/** Gives back all pages of the thread. */
export function clearStacks(): void {
  for (; freePage != 0; owned--) {
    const page = freePage;
    freePage = load<u32>(page);
    returnPages(page, 1);
  }
  if (owned > 0) returnAll(owner); // a visit was given up
  owned = 0;
}

function newPage(): usize {
  const page = freePage;
  if (page == 0) {
    const taken = takePages(1, owner);
    owned++;
    return taken;
  }
  freePage = load<u32>(page);
  return page;
}

/** Returns true if a stack has no page, or a full one. */
@inline
function isFull(stack: usize): bool {
  return (load<u32>(stack, offsetof<Stack>("next")) & <u32>(PAGE_BYTES - 1)) == 0;
}

function beginPage(stack: usize, page: usize): void {
  store<u32>(page, load<u32>(stack, offsetof<Stack>("page")));
  store<u32>(stack, <u32>page, offsetof<Stack>("page"));
  store<u32>(stack, <u32>(page + HEAD_BYTES), offsetof<Stack>("next"));
}

@inline
function append(stack: usize, node: usize): void {
  const at: usize = load<u32>(stack, offsetof<Stack>("next"));
  store<u32>(at, <u32>node);
  store<u32>(stack, <u32>(at + ENTRY_BYTES), offsetof<Stack>("next"));
}

/** Pushes a node to a stack in pages of the thread. */
@inline
export function push(stack: usize, node: usize): void {
  if (isFull(stack)) beginPage(stack, newPage());
  append(stack, node);
}

/** Pushes a node to a stack in pages of a block. */
export function pushFor(block: u32, stack: usize, node: usize): void {
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

/** Takes all nodes from a stack; {@link nextBatch} goes through them. */
export function take(stack: usize, inPagesOfBlock: bool = false): void {
  isOfBlock = inPagesOfBlock;
  page = load<u32>(stack, offsetof<Stack>("page"));
  end = load<u32>(stack, offsetof<Stack>("next"));
  store<u64>(stack, 0); // both fields
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
    else {
      store<u32>(page, <u32>freePage);
      freePage = page;
    }
    page = before;
    end = before + PAGE_BYTES;
    if (page == 0) return false;
  }
  batchEnd = end;
  batch = max(page + HEAD_BYTES, end - BATCH * ENTRY_BYTES);
  end = batch;
  let sum: u64 = 0;
  for (let at = batch; at < batchEnd; at += ENTRY_BYTES) sum += load<u64>(nodeAt(at));
  keep(sum);
  return true;
}

/** Returns the node of an entry. */
@inline
export function nodeAt(entry: usize): usize {
  return load<u32>(entry);
}
