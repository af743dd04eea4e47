/*
 * Reads letters from other blocks; `letters.ts` describes their format.
 */
import { settles } from "./bounds";
import { setDemand } from "./demands";
import { area, STAGE_IN } from "./layout";
import { Letter, sendAnswer } from "./letters";
import { nodeOfKey } from "./making";
import { GUEST, SETTLED } from "./nodes";
import { dropIfUnused, raise, settle } from "./queues";
import { find, hi, isNewSlot, lo, place, readBounds, slotOf } from "./slots";

/** Bytes of a letter in a file. */
const LISTED_BYTES: usize = offsetof<Letter>("to");

/**
 * Reads `count` letters of the block at a place from the thread's input stage: first `demands` demands,
 * then answers.
 */
export function takeLetters(count: i32, demands: i32, from: u32): void {
  let at = area + STAGE_IN;
  for (let i = 0; i < count; i++, at += LISTED_BYTES) {
    const letter = changetype<Letter>(at);
    const value = letter.value;
    if (i < demands) takeDemand(letter.key, value, from);
    else takeAnswer(letter.key, value & 0xffff, value >> 16);
  }
}

/** Sets a block's demand on a board, or answers it at once if the board is settled. */
function takeDemand(key: u64, need: i32, from: u32): void {
  readBounds(find(key), key);
  if (settles(lo, hi, need)) return sendAnswer(from, key, lo, hi);
  const node = nodeOfKey(key);
  if (node.is(GUEST)) return dropIfUnused(node); // a false letter: the board is another block's
  setDemand(node, from, <u16>need);
  slotOf(node).setChanged();
  raise(node, need);
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
