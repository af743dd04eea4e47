/*
 * Busy marks of the nodes that threads are searching. A slot holds one key; a lost, stale or
 * overwritten mark costs only time.
 */
import { BUSY, BUSY_SLOTS_LOG2 } from "./layout";

@inline
function slotOf(key: u64): usize {
  return BUSY + ((<usize>((key * 0x9e3779b97f4a7c15) >> (64 - BUSY_SLOTS_LOG2))) << 3);
}

/** Returns true if some thread has marked a node. */
@inline
export function isBusy(key: u64): bool {
  return load<u64>(slotOf(key)) == key;
}

/** Marks a node. */
@inline
export function markBusy(key: u64): void {
  store<u64>(slotOf(key), key);
}

/** Removes the mark of a node if it is still there. */
@inline
export function unmarkBusy(key: u64): void {
  if (isBusy(key)) store<u64>(slotOf(key), 0);
}
