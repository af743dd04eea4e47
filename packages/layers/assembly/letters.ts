/*
 * Letters: a visit's demands and answers to other blocks. A letter has 16 bytes:
 *     0    u64   key
 *     8    u32   for a demand: its new need, points / 4
 *                for an answer: lo and, in the upper half, hi or NONE; points / 4
 *     12   u32   twice the place of the addressed block (`residents.ts`), + 1 for an answer
 *
 * The letters are in pages of the thread. Each page begins with the address of the previous page
 * and the number of its bytes. Files have the first 12 bytes of each letter.
 */
import { PAGE_BYTES } from "./layout";
import { LETTERS, returnPages, takePages } from "./pages";

const HEAD_BYTES: usize = 16;
const LETTER_BYTES: usize = 16;

let owner: u32 = LETTERS;
/** The last page of letters, and the address of the next letter in it. */
export let lettersAt: usize = 0;
let next: usize = 0;

export function attachLetters(thread: u32): void {
  owner = LETTERS - thread;
}

/** Forgets the written letters. */
export function clearLetters(): void {
  for (let page = lettersAt; page != 0; ) {
    const before: usize = load<u32>(page);
    returnPages(page, 1);
    page = before;
  }
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
