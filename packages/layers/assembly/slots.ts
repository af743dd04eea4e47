/*
 * Sorted tables. A slot has 16 bytes:
 *     0    u64   key, a mixed afterstate key; 0: empty
 *     8    u16   lo or, in a table of demands, need: points / 4
 *     10   u16   hi, points / 4, or NONE
 *     12   u32   mark, for the table's owner
 *
 * A key's home is proportional to the key, and keys stand in ascending order without a gap between a
 * key and its home. So a look at a missing key ends early, reading a table gives its keys sorted, and
 * a sorted list fills a table from front to back.
 */
import { KEY_BITS } from "../../kernel/assembly/keys";

export const SLOT_BYTES: usize = 16;
/** Slots behind the last home, for the keys that are displaced there. */
const SPARE: u32 = 1024;
/** Bits of a key that determine its home, so that their product with the number of slots fits a u64. */
const TOP_BITS: i32 = KEY_BITS < 32 ? KEY_BITS : 32;

/** Returns the number of homes of a table for `count` keys. */
export function slotsFor(count: u32): u32 {
  return count + (count >> 1) + 1;
}

/** Returns the size of a table with `slots` homes, in bytes. */
export function tableBytes(slots: u32): usize {
  return <usize>(slots + SPARE) * SLOT_BYTES;
}

/** Returns the address of a key's home. */
// @ts-ignore: decorator
@inline
export function homeOf(table: usize, slots: u32, key: u64): usize {
  return table + <usize>(((key >> (KEY_BITS - TOP_BITS)) * slots) >> TOP_BITS) * SLOT_BYTES;
}

/** Returns the address of a key's slot, or 0 if the table does not have the key. */
// @ts-ignore: decorator
@inline
export function find(table: usize, slots: u32, key: u64): usize {
  return findFrom(homeOf(table, slots, key), key);
}

/** Returns the address of a key's slot, given its home, or 0 if the table does not have the key. */
// @ts-ignore: decorator
@inline
export function findFrom(home: usize, key: u64): usize {
  let at = home;
  while (true) {
    const held = load<u64>(at);
    if (held == key) return at;
    if (held == 0 || held > key) return 0;
    at += SLOT_BYTES;
  }
}

/** Fields of a new slot: lo or need 0, hi NONE, mark 0. */
const NEW: u64 = 0xffff0000;

/** Returns the address of a key's slot, and makes the slot if the table does not have the key. */
export function place(table: usize, slots: u32, key: u64): usize {
  let at = homeOf(table, slots, key);
  while (true) {
    const held = load<u64>(at);
    if (held == key) return at;
    if (held == 0 || held > key) break;
    at += SLOT_BYTES;
  }
  makeSlot(table, slots, at, key);
  store<u64>(at, NEW, 8);
  return at;
}

/** Makes a slot for a key at its place, and moves those behind it. */
// @ts-ignore: decorator
@inline
function makeSlot(table: usize, slots: u32, at: usize, key: u64): void {
  let end = at;
  while (load<u64>(end) != 0) end += SLOT_BYTES;
  // The last slot stays empty: it ends every look.
  if (end >= table + tableBytes(slots) - SLOT_BYTES) unreachable();
  for (; end > at; end -= SLOT_BYTES) {
    store<u64>(end, load<u64>(end - SLOT_BYTES));
    store<u64>(end, load<u64>(end - SLOT_BYTES, 8), 8);
  }
  store<u64>(at, key);
}

/**
 * Returns the address of the slot of a key and a need, in a table that may have several needs of a
 * key. Makes the slot, with mark 0, if the table does not have the pair.
 */
export function placeNeed(table: usize, slots: u32, key: u64, need: u32): usize {
  let at = homeOf(table, slots, key);
  while (true) {
    const held = load<u64>(at);
    if (held == key) {
      const heldNeed = <u32>load<u16>(at, 8);
      if (heldNeed == need) return at;
      if (heldNeed > need) break;
    } else if (held == 0 || held > key) break;
    at += SLOT_BYTES;
  }
  makeSlot(table, slots, at, key);
  store<u64>(at, need, 8);
  return at;
}

/** Returns the address of the first slot at or behind `at` that has a key, or `end`. */
// @ts-ignore: decorator
@inline
export function nextHeld(at: usize, end: usize): usize {
  while (at < end && load<u64>(at) == 0) at += SLOT_BYTES;
  return at;
}
