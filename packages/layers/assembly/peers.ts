/*
 * Peers: the block that is visited, at index 0, and the other blocks that it demands something of. A
 * peer has 32 bytes:
 *     0    u64   number of the block
 *     8    u32   demands on it, u32 of these that differ from what the last visit demanded
 *     16   u32   address and u32 end of the list of demands on it
 *     24   u64   the last key in that list
 */
import { MAX_PEERS, PEER_BYTES, PEERS } from "./layout";
import { tableIsFull } from "./regions";

export const DEMANDS: usize = 8;
export const OTHER_DEMANDS: usize = 12;
export const LIST: usize = 16;
export const LAST_KEY: usize = 24;

export let peerCount: u32 = 0;
let last: u32 = 0;

/** Forgets all peers but the block itself, by its number. */
export function beginPeers(block: u64): void {
  peerCount = 0;
  last = 0;
  peerOf(block);
}

// @ts-ignore: decorator
@inline
export function peerAt(index: u32): usize {
  return PEERS + <usize>index * PEER_BYTES;
}

/** Returns the index of a block among the peers; makes it one if it is not. */
export function peerOf(block: u64): u32 {
  if (last < peerCount && load<u64>(peerAt(last)) == block) return last;
  for (let i: u32 = 0; i < peerCount; i++) {
    if (load<u64>(peerAt(i)) != block) continue;
    last = i;
    return i;
  }
  if (peerCount == <u32>MAX_PEERS) tableIsFull();
  memory.fill(peerAt(peerCount), 0, PEER_BYTES);
  store<u64>(peerAt(peerCount), block);
  last = peerCount;
  return peerCount++;
}

/** Adds 1 to a number of a peer. */
// @ts-ignore: decorator
@inline
export function countIn(peer: usize, field: usize): void {
  store<u32>(peer + field, load<u32>(peer + field) + 1);
}
