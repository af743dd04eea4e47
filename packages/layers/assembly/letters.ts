/*
 * Letters: a visit's demands and answers to other blocks, in pages of the thread. Files have the
 * first 12 bytes of each letter.
 */
import { PAGE_BYTES } from "./layout";
import { freeOwn, takeOwn } from "./pages";

/** A letter. */
@unmanaged
export class Letter {
  key: u64;
  /**
   * For a demand: its new need, points / 4. For an answer: lo and, in the upper half, hi or NONE;
   * points / 4.
   */
  value: u32;
  /** Twice the place of the addressed block (`residents.ts`), + 1 for an answer. */
  to: u32;
}
const LETTER_BYTES: usize = offsetof<Letter>();

/** The beginning of a page of letters. */
@unmanaged
class PageHead {
  /** Address of the previous page, or 0. */
  before: usize;
  /** Bytes of the page that are used. */
  bytes: usize;
  unused: u64;
}
const HEAD_BYTES: usize = offsetof<PageHead>();

/** The last page of letters, and the address of the next letter in it. */
export let lettersAt: usize = 0;
let next: usize = 0;

@inline
function headOf(page: usize): PageHead {
  return changetype<PageHead>(page);
}

/** Forgets the written letters. */
export function clearLetters(): void {
  for (let page = lettersAt; page != 0; ) {
    const before = headOf(page).before;
    freeOwn(page);
    page = before;
  }
  lettersAt = 0;
  next = 0;
}

function send(to: u32, key: u64, value: u32): void {
  if (lettersAt == 0 || next + LETTER_BYTES > lettersAt + PAGE_BYTES) {
    const page = takeOwn();
    headOf(page).before = lettersAt;
    lettersAt = page;
    next = page + HEAD_BYTES;
  }
  const letter = changetype<Letter>(next);
  letter.key = key;
  letter.value = value;
  letter.to = to;
  next += LETTER_BYTES;
  headOf(lettersAt).bytes = next - lettersAt;
}

export function sendDemand(to: u32, key: u64, need: i32): void {
  send(to << 1, key, need);
}

export function sendAnswer(to: u32, key: u64, lo: i32, hi: i32): void {
  send((to << 1) | 1, key, <u32>lo | ((<u32>hi) << 16));
}
