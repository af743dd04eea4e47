/*
 * Reads only the bounds in a block's file (`saving.ts` describes its format). The bytes may be
 * anything: they need not have been written by this program.
 */
import { KEEPS_POSITIONS, KEY_MASK, unmix } from "../../kernel/assembly/keys";
import { STAGE, STAGE_MARGIN } from "./check-layout";
import { NONE } from "./claims";
import { readAt, readByte, readFrom, readNumber } from "./varint";

/* Flags in a board's byte. */
const IS_GUEST: u32 = 1;
const HAS_NODE: u32 = 2;
const IS_WATCHING: u32 = 8;

/** The last claim read. */
export let key: u64 = 0;
export let lo: i32 = 0;
export let hi: i32 = NONE;
export let isGuest: bool = false;

let end: usize = 0;

/** Begins to read `bytes` bytes of the stage. */
export function beginBytes(bytes: u32): void {
  end = STAGE + bytes;
  memory.fill(end, 0, STAGE_MARGIN);
  readFrom(STAGE);
  key = 0;
}

/** Returns true if another claim follows. */
// @ts-ignore: decorator
@inline
export function hasMore(): bool {
  return readAt < end;
}

/** Reads the next claim; returns false if the bytes do not have one. */
export function readClaim(): bool {
  const difference = readNumber();
  if (difference == 0 || difference > KEY_MASK - key) return false;
  key += difference;
  if (KEEPS_POSITIONS && (unmix(key) & 1) == 0) return false;
  if (!readBound()) return false;
  const kind = readByte();
  isGuest = (kind & IS_GUEST) != 0;
  if ((kind & HAS_NODE) != 0 && !skipNode(kind)) return false;
  return readAt <= end;
}

// @ts-ignore: decorator
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
  if ((kind & IS_WATCHING) != 0) readByte();
  for (let left = readNumber(); left > 0; left--) {
    if (readAt >= end) return false;
    readNumber(); // block
    readNumber(); // need
  }
  return true;
}
