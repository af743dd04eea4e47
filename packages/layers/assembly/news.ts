/*
 * News: the boards of child parts that have got a bound since the part was last visited. An open node
 * none of whose children is among them, and of which as much is demanded as before, stays as it is.
 * A file has of each such board the low bits of its key, 24 of them; what they are compared with is a
 * set of fewer bits. Boards that share these bits cost a look and nothing else.
 */
import { NEWS, NEWS_BYTES, NEWS_KEY_BITS } from "./layout";

/** Bytes of a board's entry in a file. */
export const ENTRY_BYTES: usize = 3;
const KEY_MASK: u32 = (1 << NEWS_KEY_BITS) - 1;

export function clearNews(): void {
  memory.fill(NEWS, 0, NEWS_BYTES);
}

/** Adds `count` boards from a file. */
export function addNews(from: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i++, from += ENTRY_BYTES) {
    const bit = <u32>readLow(from) & KEY_MASK;
    const at = NEWS + (bit >> 3);
    store<u8>(at, load<u8>(at) | ((<u8>1) << (<u8>(bit & 7))));
  }
}

/** Returns true if a board, of which `from` has the low bits, may be among the news. */
// @ts-ignore: decorator
@inline
export function isNews(from: usize): bool {
  const bit = readLow(from) & KEY_MASK;
  return ((load<u8>(NEWS + (bit >> 3)) >> (bit & 7)) & 1) != 0;
}

// @ts-ignore: decorator
@inline
function readLow(at: usize): u32 {
  return <u32>load<u16>(at) | ((<u32>load<u8>(at, 2)) << 16);
}

// @ts-ignore: decorator
@inline
export function writeLow(at: usize, key: u64): void {
  store<u16>(at, <u16>key);
  store<u8>(at, <u8>(key >> 16), 2);
}
