/*
 * The blocks known to the threads, some of them in memory. A block is at a place that its number
 * determines, as in a hash table; {@link Block} is its state.
 *
 * The thread that visits a block keeps its state in globals; see {@link enter} and {@link leave}.
 */
import { Block, BLOCK_BYTES, BLOCKS, MAX_BLOCKS } from "./layout";

/** Reports that no more blocks fit. Does not return. */
export declare function tooManyBlocks(): void;

/**
 * The block that this thread has entered: its place, and its state, with the names of {@link Block}.
 */
export class Entered {
  static place: u32 = 0;
  static tableAt: usize = 0;
  static slots: u32 = 0;
  static held: u32 = 0;
  static most: u32 = 0;
  static tablePages: i32 = 0;
  static freeNode: usize = 0;
  static nextNode: usize = 0;
  static nodesEnd: usize = 0;
  static freeDemand: usize = 0;
  static nextNewDemand: usize = 0;
  static demandsEnd: usize = 0;
  static liveNodes: u32 = 0;
  static waitingNodes: u32 = 0;
  static changedBoards: u32 = 0;
  static directoryAt: usize = 0;
  static recordsAt: usize = 0;
  static keyShift: u32 = 0;
  static boards: u32 = 0;
  static bucketsAt: usize = 0;
  static bucketMask: u32 = 0;
}

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
  Entered.place = place;
  Entered.tableAt = load<u32>(at, offsetof<Block>("table"));
  Entered.slots = load<u32>(at, offsetof<Block>("slots"));
  Entered.held = load<u32>(at, offsetof<Block>("held"));
  Entered.most = load<u32>(at, offsetof<Block>("most"));
  Entered.tablePages = load<u32>(at, offsetof<Block>("tablePages"));
  Entered.freeNode = load<u32>(at, offsetof<Block>("freeNode"));
  Entered.nextNode = load<u32>(at, offsetof<Block>("nextNode"));
  Entered.nodesEnd = load<u32>(at, offsetof<Block>("nodesEnd"));
  Entered.freeDemand = load<u32>(at, offsetof<Block>("freeDemand"));
  Entered.nextNewDemand = load<u32>(at, offsetof<Block>("nextNewDemand"));
  Entered.demandsEnd = load<u32>(at, offsetof<Block>("demandsEnd"));
  Entered.liveNodes = load<u32>(at, offsetof<Block>("liveNodes"));
  Entered.waitingNodes = load<u32>(at, offsetof<Block>("waitingNodes"));
  Entered.changedBoards = load<u32>(at, offsetof<Block>("changedBoards"));
  Entered.directoryAt = load<u32>(at, offsetof<Block>("directory"));
  Entered.recordsAt = load<u32>(at, offsetof<Block>("records"));
  Entered.keyShift = load<u32>(at, offsetof<Block>("keyShift"));
  Entered.boards = load<u32>(at, offsetof<Block>("boards"));
  Entered.bucketsAt = load<u32>(at, offsetof<Block>("buckets"));
  Entered.bucketMask = load<u32>(at, offsetof<Block>("bucketMask"));
}

/** Returns the address of the stack of the current block's nodes that wait to be expanded. */
@inline
export function waitingAt(): usize {
  return blockAt(Entered.place) + offsetof<Block>("waitingPage");
}

/** Stores the state of the current block. */
export function leave(): void {
  const at = blockAt(Entered.place);
  store<u32>(at, Entered.tableAt, offsetof<Block>("table"));
  store<u32>(at, Entered.slots, offsetof<Block>("slots"));
  store<u32>(at, Entered.held, offsetof<Block>("held"));
  store<u32>(at, Entered.most, offsetof<Block>("most"));
  store<u32>(at, Entered.tablePages, offsetof<Block>("tablePages"));
  store<u32>(at, Entered.freeNode, offsetof<Block>("freeNode"));
  store<u32>(at, Entered.nextNode, offsetof<Block>("nextNode"));
  store<u32>(at, Entered.nodesEnd, offsetof<Block>("nodesEnd"));
  store<u32>(at, Entered.freeDemand, offsetof<Block>("freeDemand"));
  store<u32>(at, Entered.nextNewDemand, offsetof<Block>("nextNewDemand"));
  store<u32>(at, Entered.demandsEnd, offsetof<Block>("demandsEnd"));
  store<u32>(at, Entered.liveNodes, offsetof<Block>("liveNodes"));
  store<u32>(at, Entered.waitingNodes, offsetof<Block>("waitingNodes"));
  store<u32>(at, Entered.changedBoards, offsetof<Block>("changedBoards"));
  store<u32>(at, Entered.directoryAt, offsetof<Block>("directory"));
  store<u32>(at, Entered.recordsAt, offsetof<Block>("records"));
  store<u32>(at, Entered.keyShift, offsetof<Block>("keyShift"));
  store<u32>(at, Entered.boards, offsetof<Block>("boards"));
  store<u32>(at, Entered.bucketsAt, offsetof<Block>("buckets"));
  store<u32>(at, Entered.bucketMask, offsetof<Block>("bucketMask"));
}

/** Clears the state of a block. */
export function clearBlock(place: u32): void {
  memory.fill(blockAt(place) + offsetof<Block>("table"), 0, BLOCK_BYTES - offsetof<Block>("table"));
}
