/*
 * Letters: what a visit tells other blocks, demands and answers. A letter has 16 bytes:
 *     0    u64   key
 *     8    u32   a demand: what is demanded now, points / 4; 0: nothing is any more
 *                an answer: lo and, in the upper half, hi or NONE; points / 4
 *     12   u32   twice the place of the block that it is for (`residents.ts`) + 1 if it is an answer
 *
 * They are kept in pages of the thread, each of which begins with the address of the page before it
 * and the number of bytes that it holds. Files have their first 12 bytes, side by side.
 */
import { makeDemand, removeDemand, scoreOf, setScore } from "./edges";
import { PAGE_BYTES } from "./layout";
import { hiOf, learnOf, loOf, nodeOfKey, setTold, toldOf, touch } from "./nodes";
import { LETTERS, returnAll, takePages } from "./pages";
import { demandOf, lower, raise, tellParents } from "./queues";
import { hiAt, isNewSlot, learn, loAt, nodeIn, find, place, setNodeIn, settles } from "./slots";

const HEAD_BYTES: usize = 16;
const LETTER_BYTES: usize = 16;
/** Bytes of a letter in a file. */
const LISTED_BYTES: usize = 12;

let owner: u32 = LETTERS;
/** The last page of letters, and the address of the next letter in it. */
export let lettersAt: usize = 0;
let next: usize = 0;

export function attachLetters(thread: u32): void {
  owner = LETTERS - thread;
}

/** Forgets the letters that were written. */
export function clearLetters(): void {
  if (lettersAt != 0) returnAll(owner);
  lettersAt = 0;
  next = 0;
}

function send(to: u32, key: u64, value: u32): void {
  if (lettersAt == 0 || next + LETTER_BYTES > lettersAt + PAGE_BYTES) {
    const page = takePages(1, owner);
    store<u32>(page, <u32>lettersAt);
    lettersAt = page;
    next = page + HEAD_BYTES;
  }
  store<u64>(next, key);
  store<u32>(next, value, 8);
  store<u32>(next, to, 12);
  next += LETTER_BYTES;
  store<u32>(lettersAt, <u32>(next - lettersAt), 4);
}

export function sendDemand(to: u32, key: u64, need: i32): void {
  send(to << 1, key, need);
}

export function sendAnswer(to: u32, key: u64, lo: i32, hi: i32): void {
  send((to << 1) | 1, key, <u32>lo | ((<u32>hi) << 16));
}

/** Takes `count` demands from the block at a place. What is settled is answered at once. */
export function takeDemands(at: usize, count: u32, from: u32): void {
  for (const end = at + <usize>count * LISTED_BYTES; at < end; at += LISTED_BYTES) {
    takeDemand(load<u64>(at), load<u32>(at, 8), from);
  }
}

/** Sets what a block demands of a board. */
export function takeDemand(key: u64, need: i32, from: u32): void {
  const slot = find(key);
  if (need != 0 && slot != 0 && settles(loAt(slot), hiAt(slot), need)) {
    sendAnswer(from, key, loAt(slot), hiAt(slot));
    need = 0;
  }
  if (need == 0 && (slot == 0 || nodeIn(slot) == 0)) return;
  const node = nodeOfKey(key);
  const edge = demandOf(node, from);
  const before = edge == 0 ? 0 : scoreOf(edge);
  if (need == 0) {
    if (edge == 0) return;
    removeDemand(edge);
    touch(node);
  } else if (edge == 0) makeDemand(node, from, need);
  else setScore(edge, need);
  if (need > before) raise(node, need);
  else lower(node, before);
}

/** Takes `count` answers. */
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
    // The other block, too, counts such a demand as answered.
    if (settles(loOf(node), hiOf(node), toldOf(node))) setTold(node, 0);
    tellParents(node);
  }
}
