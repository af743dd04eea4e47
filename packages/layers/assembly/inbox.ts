/*
 * Reads letters from other blocks; `letters.ts` describes their format.
 */
import { abandon, demandOf, makeForeign, setDemand } from "./edges";
import { sendAnswer } from "./letters";
import { nodeOfKey } from "./making";
import { hiOf, learnOf, loOf, setTold, toldOf, touch } from "./nodes";
import { foreignOf, lower, raise, tellParents } from "./queues";
import { find, hiAt, isNewSlot, learn, loAt, nodeIn, place, setNodeIn, settles } from "./slots";

/** Bytes of a letter in a file. */
const LISTED_BYTES: usize = 12;

/** Reads `count` demands from the block at a place. Answers settled ones at once. */
export function takeDemands(at: usize, count: u32, from: u32): void {
  for (const end = at + <usize>count * LISTED_BYTES; at < end; at += LISTED_BYTES) {
    takeDemand(load<u64>(at), load<u32>(at, 8), from);
  }
}

/** Sets a block's demand on a board. */
export function takeDemand(key: u64, need: i32, from: u32): void {
  const slot = find(key);
  if (need != 0 && slot != 0 && settles(loAt(slot), hiAt(slot), need)) {
    sendAnswer(from, key, loAt(slot), hiAt(slot));
    need = 0;
  }
  if (need == 0 && (slot == 0 || nodeIn(slot) == 0)) return;
  const node = nodeOfKey(key);
  const edge = foreignOf(node, from);
  const before = edge == 0 ? 0 : demandOf(edge);
  if (need == 0) {
    if (edge == 0) return;
    abandon(edge);
    touch(node);
  } else if (edge == 0) makeForeign(node, from, need);
  else setDemand(edge, need);
  if (need > before) raise(node, need);
  else if (need < before) lower(node, before);
}

/** Reads `count` answers. */
export function takeAnswers(at: usize, count: u32): void {
  for (const end = at + <usize>count * LISTED_BYTES; at < end; at += LISTED_BYTES) {
    const lo: i32 = load<u16>(at, 8);
    const hi: i32 = load<u16>(at, 10);
    const slot = place(load<u64>(at));
    if (isNewSlot) setNodeIn(slot, 0, true);
    const node = nodeIn(slot);
    if (node == 0) {
      learn(slot, lo, hi);
      continue;
    }
    learnOf(node, lo, hi);
    // The other block also counts this demand as answered.
    if (settles(loOf(node), hiOf(node), toldOf(node))) setTold(node, 0);
    tellParents(node);
  }
}
