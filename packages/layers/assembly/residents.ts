/*
 * The blocks known to the threads, some of them in memory. A block has 128 bytes, at a place that
 * its number determines, as in a hash table:
 *     0    u64   number + 1; 0: no block
 *     8    u32 × 6, written by the host: see `block-memory.ts`
 *     32   u32   table: address, u32 slots, u32 keys, u32 keys for which it grows, u32 pages
 *     52   u32   nodes: the first free one, u32 address of the next new one, u32 end of new ones
 *     64   u32   demands: the first free one, u32 address of the next new one, u32 end of new ones
 *     76   u32   nodes of the block, u32 those of them that wait to be expanded
 *     84   stack of the nodes that wait to be expanded (`stacks.ts`)
 *     92   u32   boards that have changed since the block was saved
 *     96   u32, unused
 *     100  u32   directory of the packed boards, or 0; u32 address of their records, u32 bits of a key
 *          below those of its bucket, u32 pages (`packed.ts`)
 *     116  u32   boards
 *     120  u32   buckets of the nodes that sleep, or 0; u32 their number, less 1 (`sleepers.ts`)
 *
 * The thread that visits a block keeps its state in globals; see {@link enter} and {@link leave}.
 */
import { BLOCK_BYTES, BLOCKS, MAX_BLOCKS } from "./layout";

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
export let packedPages: i32 = 0;
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

/** Returns the number of pages of a block's table. */
export function tablePagesOf(place: u32): i32 {
  return load<u32>(blockAt(place), 48);
}

/** Returns the number of pages of a block's packed boards. */
export function packedPagesOf(place: u32): i32 {
  return load<u32>(blockAt(place), 112);
}

/** Makes a block the current one. */
export function enter(place: u32): void {
  const at = blockAt(place);
  current = place;
  tableAt = load<u32>(at, 32);
  slots = load<u32>(at, 36);
  held = load<u32>(at, 40);
  most = load<u32>(at, 44);
  tablePages = load<u32>(at, 48);
  freeNode = load<u32>(at, 52);
  nextNode = load<u32>(at, 56);
  nodesEnd = load<u32>(at, 60);
  freeDemand = load<u32>(at, 64);
  nextNewDemand = load<u32>(at, 68);
  demandsEnd = load<u32>(at, 72);
  liveNodes = load<u32>(at, 76);
  waitingNodes = load<u32>(at, 80);
  changedBoards = load<u32>(at, 92);
  directoryAt = load<u32>(at, 100);
  recordsAt = load<u32>(at, 104);
  keyShift = load<u32>(at, 108);
  packedPages = load<u32>(at, 112);
  boards = load<u32>(at, 116);
  bucketsAt = load<u32>(at, 120);
  bucketMask = load<u32>(at, 124);
}

/** Returns the address of the stack of the current block's nodes that wait to be expanded. */
@inline
export function waitingAt(): usize {
  return blockAt(current) + 84;
}

/** Stores the state of the current block. */
export function leave(): void {
  const at = blockAt(current);
  store<u32>(at, tableAt, 32);
  store<u32>(at, slots, 36);
  store<u32>(at, held, 40);
  store<u32>(at, most, 44);
  store<u32>(at, tablePages, 48);
  store<u32>(at, freeNode, 52);
  store<u32>(at, nextNode, 56);
  store<u32>(at, nodesEnd, 60);
  store<u32>(at, freeDemand, 64);
  store<u32>(at, nextNewDemand, 68);
  store<u32>(at, demandsEnd, 72);
  store<u32>(at, liveNodes, 76);
  store<u32>(at, waitingNodes, 80);
  store<u32>(at, changedBoards, 92);
  store<u32>(at, directoryAt, 100);
  store<u32>(at, recordsAt, 104);
  store<u32>(at, keyShift, 108);
  store<u32>(at, packedPages, 112);
  store<u32>(at, boards, 116);
  store<u32>(at, bucketsAt, 120);
  store<u32>(at, bucketMask, 124);
}

/** Clears the state of a block. */
export function clearBlock(place: u32): void {
  memory.fill(blockAt(place) + 32, 0, BLOCK_BYTES - 32);
}

export function setTable(at: usize, count: u32, limit: u32, pages: i32): void {
  tableAt = at;
  slots = count;
  most = limit;
  tablePages = pages;
}

export function setPacked(directory: usize, records: usize, shift: u32, count: i32): void {
  directoryAt = directory;
  recordsAt = records;
  keyShift = shift;
  packedPages = count;
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
