/*
 * Reads only the bounds in a block's file (`saving.ts` describes its format). The bytes may be
 * anything: they need not have been written by this program.
 */
import { KEEPS_POSITIONS, KEY_MASK, unmix } from "../../kernel/assembly/keys";
import { hiOf, isForm, isGuestIn, loOf, NONE } from "./bounds";
import { STAGE, STAGE_MARGIN } from "./check-layout";
import { readAt, readByte, readFixed, readFrom, readNumber } from "./varint";

/* Flags in a board's byte. */
const IS_GUEST: u32 = 1;
const HAS_NODE: u32 = 2;
const IS_WATCHING: u32 = 8;
/** Bytes about the board that a node watches. */
const WATCHED_BYTES: u32 = 4;

/** The last claim read. */
export let key: u64 = 0;
export let lo: i32 = 0;
export let hi: i32 = NONE;
export let isGuest: bool = false;

let end: usize = 0;
/** Bytes of a difference between keys; no chunk has more than 8. */
let width: u32 = 0;

/** Begins to read a chunk of `bytes` bytes in the stage. */
export function beginBytes(bytes: u32): void {
  end = STAGE + bytes;
  memory.fill(end, 0, STAGE_MARGIN);
  readFrom(STAGE);
  if (bytes == 0) return;
  width = readByte();
  key = readFixed(8);
}

/** Returns true if another claim follows. */
@inline
export function hasMore(): bool {
  return readAt < end;
}

/** Reads the next claim; returns false if the bytes do not have one. */
export function readClaim(): bool {
  if (width == 0 || width > 8 || key > KEY_MASK) return false;
  const difference = readFixed(width);
  if (difference == 0 || difference > KEY_MASK - key) return false;
  key += difference;
  if (KEEPS_POSITIONS && (unmix(key) & 1) == 0) return false;
  const form = <u32>readFixed(2);
  if (form != 0) return readForm(form);
  if (!readBound()) return false;
  const kind = readByte();
  isGuest = (kind & IS_GUEST) != 0;
  if ((kind & HAS_NODE) != 0 && !skipNode(kind)) return false;
  return readAt <= end;
}

@inline
function readForm(form: u32): bool {
  lo = loOf(form);
  hi = hiOf(form);
  isGuest = isGuestIn(form);
  return isForm(form) && readAt <= end;
}

@inline
function readBound(): bool {
  const code = readNumber();
  const value = code >> 2;
  if (value >= <u64>NONE) return false;
  lo = (code & 1) != 0 ? <i32>value : 0;
  hi = NONE;
  if ((code & 2) == 0) return true;
  hi = <i32>value;
  if ((code & 1) == 0) return true;
  const more = readNumber();
  if (more >= <u64>NONE - value) return false;
  hi += <i32>more;
  return true;
}

function skipNode(kind: u32): bool {
  readNumber(); // need
  readNumber(); // the need sent to its block, or what its settled placements fulfil
  if (isGuest) return true;
  readNumber(); // open placements
  if ((kind & IS_WATCHING) != 0) readFixed(WATCHED_BYTES);
  for (let left = readNumber(); left > 0; left--) {
    if (readAt >= end) return false;
    readNumber(); // block
    readNumber(); // need
  }
  return true;
}
