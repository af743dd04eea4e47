/*
 * The blocks known to the threads, some of them in memory. A block is at a place that its number
 * determines, as in a hash table; {@link Block} is its state.
 */
import { Block, BLOCK_BYTES, BLOCKS, MAX_BLOCKS } from "./layout";

/** Reports that no more blocks fit. Does not return. */
export declare function tooManyBlocks(): void;

/** The block that this thread has entered, and the owner of its pages. */
export let block: Block = changetype<Block>(0);
export let owner: u32 = 0;

/** Makes a block the current one. */
export function enter(place: u32): void {
  block = changetype<Block>(blockAt(place));
  owner = ownerOf(place);
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

/** Clears the state of a block. */
export function clearBlock(place: u32): void {
  memory.fill(blockAt(place) + offsetof<Block>("table"), 0, BLOCK_BYTES - offsetof<Block>("table"));
}
