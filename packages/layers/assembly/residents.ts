/*
 * The blocks known to the threads, some of them in memory. A block is at a place that its number
 * determines, as in a hash table; {@link Block} is its state.
 *
 * The thread that visits a block keeps its state in globals; see {@link enter} and {@link leave}.
 */
import { Block, BLOCK_BYTES, BLOCKS, MAX_BLOCKS } from "./layout";

/** Reports that no more blocks fit. Does not return. */
export declare function tooManyBlocks(): void;

/** The place of the block that this thread works on. */
export let current: u32 = 0;
export let tableAt: usize = 0;
export let slots: u32 = 0;
export let held: u32 = 0;
export let most: u32 = 0;
export let tablePages: i32 = 0;
export let freeNode: usize = 0;
export let nextNode: usize = 0;
export let nodesEnd: usize = 0;
export let freeDemand: usize = 0;
export let nextNewDemand: usize = 0;
export let demandsEnd: usize = 0;
export let liveNodes: u32 = 0;
export let waitingNodes: u32 = 0;
export let changedBoards: u32 = 0;
export let directoryAt: usize = 0;
export let recordsAt: usize = 0;
export let keyShift: u32 = 0;
export let boards: u32 = 0;
export let bucketsAt: usize = 0;
export let bucketMask: u32 = 0;

/** Returns the address of the block at a place. */
@inline
function blockAt(place: u32): usize {
  return BLOCKS + <usize>place * BLOCK_BYTES;
}

let last: u32 = 0;

/** Returns the place of the block with a number. */
export function placeOf(number: u64): u32 {
  const wanted = number + 1;
  if (load<u64>(blockAt(last)) == wanted) return last;
  let place = <u32>((number * 0x9e3779b97f4a7c15) >> 40) & (MAX_BLOCKS - 1);
  for (let tried: u32 = 0; tried < MAX_BLOCKS; tried++) {
    const at = blockAt(place);
    let found = atomic.load<u64>(at);
    if (found == 0) found = atomic.cmpxchg<u64>(at, 0, wanted);
    if (found == 0 || found == wanted) {
      last = place;
      return place;
    }
    place = (place + 1) & (MAX_BLOCKS - 1);
  }
  tooManyBlocks();
  return 0;
}

/** Returns the number of the block at a place. */
@inline
export function numberOf(place: u32): u64 {
  return load<u64>(blockAt(place)) - 1;
}

/** The owner of a block's pages. */
@inline
export function ownerOf(place: u32): u32 {
  return place + 1;
}

/** Makes a block the current one. */
export function enter(place: u32): void {
  const at = blockAt(place);
  current = place;
  tableAt = load<u32>(at, offsetof<Block>("table"));
  slots = load<u32>(at, offsetof<Block>("slots"));
  held = load<u32>(at, offsetof<Block>("held"));
  most = load<u32>(at, offsetof<Block>("most"));
  tablePages = load<u32>(at, offsetof<Block>("tablePages"));
  freeNode = load<u32>(at, offsetof<Block>("freeNode"));
  nextNode = load<u32>(at, offsetof<Block>("nextNode"));
  nodesEnd = load<u32>(at, offsetof<Block>("nodesEnd"));
  freeDemand = load<u32>(at, offsetof<Block>("freeDemand"));
  nextNewDemand = load<u32>(at, offsetof<Block>("nextNewDemand"));
  demandsEnd = load<u32>(at, offsetof<Block>("demandsEnd"));
  liveNodes = load<u32>(at, offsetof<Block>("liveNodes"));
  waitingNodes = load<u32>(at, offsetof<Block>("waitingNodes"));
  changedBoards = load<u32>(at, offsetof<Block>("changedBoards"));
  directoryAt = load<u32>(at, offsetof<Block>("directory"));
  recordsAt = load<u32>(at, offsetof<Block>("records"));
  keyShift = load<u32>(at, offsetof<Block>("keyShift"));
  boards = load<u32>(at, offsetof<Block>("boards"));
  bucketsAt = load<u32>(at, offsetof<Block>("buckets"));
  bucketMask = load<u32>(at, offsetof<Block>("bucketMask"));
}

/** Returns the address of the stack of the current block's nodes that wait to be expanded. */
@inline
export function waitingAt(): usize {
  return blockAt(current) + offsetof<Block>("waitingPage");
}

/** Stores the state of the current block. */
export function leave(): void {
  const at = blockAt(current);
  store<u32>(at, tableAt, offsetof<Block>("table"));
  store<u32>(at, slots, offsetof<Block>("slots"));
  store<u32>(at, held, offsetof<Block>("held"));
  store<u32>(at, most, offsetof<Block>("most"));
  store<u32>(at, tablePages, offsetof<Block>("tablePages"));
  store<u32>(at, freeNode, offsetof<Block>("freeNode"));
  store<u32>(at, nextNode, offsetof<Block>("nextNode"));
  store<u32>(at, nodesEnd, offsetof<Block>("nodesEnd"));
  store<u32>(at, freeDemand, offsetof<Block>("freeDemand"));
  store<u32>(at, nextNewDemand, offsetof<Block>("nextNewDemand"));
  store<u32>(at, demandsEnd, offsetof<Block>("demandsEnd"));
  store<u32>(at, liveNodes, offsetof<Block>("liveNodes"));
  store<u32>(at, waitingNodes, offsetof<Block>("waitingNodes"));
  store<u32>(at, changedBoards, offsetof<Block>("changedBoards"));
  store<u32>(at, directoryAt, offsetof<Block>("directory"));
  store<u32>(at, recordsAt, offsetof<Block>("records"));
  store<u32>(at, keyShift, offsetof<Block>("keyShift"));
  store<u32>(at, boards, offsetof<Block>("boards"));
  store<u32>(at, bucketsAt, offsetof<Block>("buckets"));
  store<u32>(at, bucketMask, offsetof<Block>("bucketMask"));
}

/** Clears the state of a block. */
export function clearBlock(place: u32): void {
  memory.fill(blockAt(place) + offsetof<Block>("table"), 0, BLOCK_BYTES - offsetof<Block>("table"));
}

export function setTable(at: usize, count: u32, limit: u32, pages: i32): void {
  tableAt = at;
  slots = count;
  most = limit;
  tablePages = pages;
}

export function setPacked(directory: usize, records: usize, shift: u32): void {
  directoryAt = directory;
  recordsAt = records;
  keyShift = shift;
}

export function setBuckets(at: usize, mask: u32): void {
  bucketsAt = at;
  bucketMask = mask;
}

@inline
export function setBoards(count: u32): void {
  boards = count;
}

export function setHeld(count: u32): void {
  held = count;
}

export function setFreeNode(node: usize): void {
  freeNode = node;
}

export function setNewNodes(next: usize, end: usize): void {
  nextNode = next;
  nodesEnd = end;
}

export function setFreeDemand(demand: usize): void {
  freeDemand = demand;
}

export function setNewDemands(next: usize, end: usize): void {
  nextNewDemand = next;
  demandsEnd = end;
}

export function setLiveNodes(count: u32): void {
  liveNodes = count;
}

export function setWaitingNodes(count: u32): void {
  waitingNodes = count;
}

@inline
export function setChangedBoards(count: u32): void {
  changedBoards = count;
}
