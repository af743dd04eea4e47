/*
 * Reads letters from other blocks; `letters.ts` describes their format.
 */
import { settles } from "./bounds";
import { setDemand } from "./demands";
import { Letter, sendAnswer } from "./letters";
import { nodeOfKey } from "./making";
import { isGuest, isSettled, needOf, setTold, toldOf } from "./nodes";
import { dropIfUnused, raise, settle } from "./queues";
import {
  find,
  hi,
  hiAt,
  isNewSlot,
  learn,
  lo,
  loAt,
  nodeIn,
  place,
  readBounds,
  setChanged,
  setNodeIn,
} from "./slots";

/** Bytes of a letter in a file. */
const LISTED_BYTES: usize = offsetof<Letter>("to");

@inline
function letterKey(letter: usize): u64 {
  return load<u64>(letter, offsetof<Letter>("key"));
}

/** Reads `count` demands from the block at a place. Answers settled ones at once. */
export function takeDemands(at: usize, count: u32, from: u32): void {
  for (const end = at + <usize>count * LISTED_BYTES; at < end; at += LISTED_BYTES)
    takeDemand(letterKey(at), load<u32>(at, offsetof<Letter>("value")), from);
}

/** Sets a block's demand on a board. */
function takeDemand(key: u64, need: i32, from: u32): void {
  const slot = find(key);
  readBounds(slot, key);
  if (settles(lo, hi, need)) return sendAnswer(from, key, lo, hi);
  const node = nodeOfKey(key);
  if (isGuest(node)) return dropIfUnused(node); // a false letter: the board is another block's
  setDemand(node, from, need);
  setChanged(find(key));
  raise(node, need);
}

/** Reads `count` answers. */
export function takeAnswers(at: usize, count: u32): void {
  for (const end = at + <usize>count * LISTED_BYTES; at < end; at += LISTED_BYTES)
    takeAnswer(
      letterKey(at),
      load<u16>(at, offsetof<Letter>("value")),
      load<u16>(at, offsetof<Letter>("value") + 2),
    );
}

/** Merges another block's bound of its board. */
function takeAnswer(key: u64, lo: i32, hi: i32): void {
  const slot = place(key);
  if (isNewSlot) setNodeIn(slot, 0, true);
  learn(slot, lo, hi);
  const node = nodeIn(slot);
  if (node == 0) return;
  lo = loAt(slot);
  hi = hiAt(slot);
  // The other block also counts this demand as answered.
  if (isGuest(node) && settles(lo, hi, toldOf(node))) {
    setTold(node, 0);
    setChanged(slot);
  }
  if (!isSettled(node) && settles(lo, hi, needOf(node))) settle(node, slot);
}
