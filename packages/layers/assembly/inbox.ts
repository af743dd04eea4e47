/*
 * Reads letters from other blocks; `letters.ts` describes their format.
 */
import { settles } from "./bounds";
import { setDemand } from "./demands";
import { Letter, sendAnswer } from "./letters";
import { nodeOfKey } from "./making";
import { GUEST, SETTLED } from "./nodes";
import { dropIfUnused, raise, settle } from "./queues";
import { find, hi, isNewSlot, lo, place, readBounds, slotOf } from "./slots";

/** Bytes of a letter in a file. */
const LISTED_BYTES: usize = offsetof<Letter>("to");

@inline
function letterAt(at: usize): Letter {
  return changetype<Letter>(at);
}

/** Reads `count` demands from the block at a place. Answers settled ones at once. */
export function takeDemands(at: usize, count: u32, from: u32): void {
  for (const end = at + <usize>count * LISTED_BYTES; at < end; at += LISTED_BYTES)
    takeDemand(letterAt(at).key, letterAt(at).value, from);
}

/** Sets a block's demand on a board. */
function takeDemand(key: u64, need: i32, from: u32): void {
  readBounds(find(key), key);
  if (settles(lo, hi, need)) return sendAnswer(from, key, lo, hi);
  const node = nodeOfKey(key);
  if (node.is(GUEST)) return dropIfUnused(node); // a false letter: the board is another block's
  setDemand(node, from, <u16>need);
  slotOf(node).setChanged();
  raise(node, need);
}

/** Reads `count` answers. */
export function takeAnswers(at: usize, count: u32): void {
  for (const end = at + <usize>count * LISTED_BYTES; at < end; at += LISTED_BYTES) {
    const value = letterAt(at).value;
    takeAnswer(letterAt(at).key, value & 0xffff, value >> 16);
  }
}

/** Merges another block's bound of its board. */
function takeAnswer(key: u64, lo: i32, hi: i32): void {
  const slot = place(key);
  if (isNewSlot) slot.setNode(null, true);
  slot.learn(lo, hi);
  const node = slot.node();
  if (!node) return;
  lo = slot.lo;
  hi = slot.hi;
  // The other block also counts this demand as answered.
  if (node.is(GUEST) && settles(lo, hi, node.fulfilled)) {
    node.fulfilled = 0;
    slot.setChanged();
  }
  if (!node.is(SETTLED) && settles(lo, hi, node.need)) settle(node, slot);
}
