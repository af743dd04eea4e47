/*
 * The table of a visit: what is known of the block's boards and of boards of other blocks. A slot has
 * 16 bytes:
 *     0    u64   key, a mixed afterstate key; 0: empty
 *     8    u16   lo, points / 4
 *     10   u16   hi, points / 4, or NONE
 *     12   u32   flags, and the index of the board's node (`nodes.ts`) or, if it has none, that of its
 *                block (`peers.ts`)
 *
 * A key's home is proportional to the key, and keys stand in ascending order without a gap between a
 * key and its home. So a look at a missing key ends early, reading a table gives its keys sorted, a
 * sorted list fills it from front to back, and it grows in place.
 */
import { KEY_BITS } from "../../kernel/assembly/keys";
import { tableAt, tableIsFull, tableRoom } from "./regions";

export const SLOT_BYTES: usize = 16;
/** No upper bound known. */
export const NONE: i32 = 0xffff;
/** The bound has changed since the base was written. */
export const CHANGED: u32 = 1 << 30;
/** The index is that of a node. */
export const OPEN: u32 = 1 << 29;
/** The bound has changed in this visit. */
export const NEW: u32 = 1 << 28;
export const INDEX: u32 = NEW - 1;

/** Slots behind the last home, for the keys that are displaced there. */
const SPARE: u32 = 1024;
/** Bits of a key that determine its home, so that their product with the number of slots fits a u64. */
const TOP_BITS: i32 = KEY_BITS < 32 ? KEY_BITS : 32;

/** Homes of the table, keys in it, and keys for which it grows. */
let slots: u32 = 0;
let held: u32 = 0;
let most: u32 = 0;
/** Bounds that have changed since the base was written. */
let changed: u32 = 0;

export function tableEnd(): usize {
  return tableAt + <usize>(slots + SPARE) * SLOT_BYTES;
}

/** Counts a bound that has changed since the base was written. */
export function countChanged(): void {
  changed++;
}

export function slotsChanged(): u32 {
  return changed;
}

export function slotsHeld(): u32 {
  return held;
}

/**
 * Sets the number of homes to fit `count` keys, or fewer if there is no room for that many, but at
 * least `least`. The table must then be made.
 */
function setSlots(count: u32, least: u32): void {
  const room = <u32>(tableRoom() / SLOT_BYTES) - SPARE;
  const wanted = count + (count >> 1) + 1;
  slots = min(wanted, room);
  most = slots == wanted ? count : slots - (slots >> 3);
  if (most < least) tableIsFull();
}

/** Makes an empty table for `count` keys; {@link append} and {@link endAppending} must follow. */
export function beginTable(count: u32): void {
  setSlots(count, count);
  held = 0;
  changed = 0;
  free = tableAt;
}

/** Address of the first slot that is not set yet, while keys are appended or moved in order. */
let free: usize = 0;

/** Returns the slot of the next key in ascending order, and clears those before it. */
// @ts-ignore: decorator
@inline
export function append(key: u64): usize {
  const home = homeOf(key);
  const at = home > free ? home : free;
  for (; free < at; free += SLOT_BYTES) store<u64>(free, 0);
  store<u64>(at, key);
  free = at + SLOT_BYTES;
  held++;
  return at;
}

/** Clears the slots behind the last key appended. */
export function endAppending(): void {
  for (const end = tableEnd(); free < end; free += SLOT_BYTES) store<u64>(free, 0);
}

/** Makes room for `count` more keys. */
// @ts-ignore: decorator
@inline
export function reserve(count: u32): void {
  if (held + count > most) grow(count);
}

/** Doubles the table. Keys move to higher addresses, the last one first; then they are put in order. */
function grow(count: u32): void {
  const oldEnd = tableEnd();
  setSlots(2 * (held + count), held + count);
  const end = tableEnd();
  // All keys to the end, as densely as they can stand.
  let to = end;
  for (let from = oldEnd; from > tableAt; ) {
    from -= SLOT_BYTES;
    if (load<u64>(from) == 0) continue;
    to -= SLOT_BYTES;
    copySlot(to, from);
  }
  // From there to their homes: these lie before them, since there are fewer keys than homes.
  free = tableAt;
  held = 0;
  for (; to < end; to += SLOT_BYTES) {
    const key = load<u64>(to);
    const rest = load<u64>(to, 8);
    store<u64>(append(key), rest, 8);
  }
  endAppending();
}

// @ts-ignore: decorator
@inline
function copySlot(to: usize, from: usize): void {
  store<u64>(to, load<u64>(from));
  store<u64>(to, load<u64>(from, 8), 8);
}

/** Returns the address of a key's home. */
// @ts-ignore: decorator
@inline
export function homeOf(key: u64): usize {
  return tableAt + <usize>(((key >> (KEY_BITS - TOP_BITS)) * slots) >> TOP_BITS) * SLOT_BYTES;
}

/** Returns the address of a key's slot, or 0 if the table does not have the key. */
// @ts-ignore: decorator
@inline
export function find(key: u64): usize {
  return findFrom(homeOf(key), key);
}

/** Returns the address of a key's slot, given its home, or 0 if the table does not have the key. */
// @ts-ignore: decorator
@inline
export function findFrom(home: usize, key: u64): usize {
  let at = home;
  while (true) {
    const here = load<u64>(at);
    if (here == key) return at;
    if (here == 0 || here > key) return 0;
    at += SLOT_BYTES;
  }
}

/** True if the last {@link place} has made the slot. */
export let isNewSlot: bool = false;

/** Returns the address of a key's slot; makes it, with nothing known, if the table does not have the key. */
export function place(key: u64): usize {
  reserve(1);
  let at = homeOf(key);
  while (true) {
    const here = load<u64>(at);
    if (here == key) {
      isNewSlot = false;
      return at;
    }
    if (here == 0 || here > key) break;
    at += SLOT_BYTES;
  }
  let end = at;
  while (load<u64>(end) != 0) end += SLOT_BYTES;
  // The last slot stays empty: it ends every look.
  if (end >= tableEnd() - SLOT_BYTES) unreachable();
  for (; end > at; end -= SLOT_BYTES) copySlot(end, end - SLOT_BYTES);
  store<u64>(at, key);
  store<u64>(at, (<u64>NONE) << 16, 8);
  held++;
  isNewSlot = true;
  return at;
}

/** Returns the address of the first slot at or behind `at` that has a key, or `end`. */
// @ts-ignore: decorator
@inline
export function nextHeld(at: usize, end: usize): usize {
  while (at < end && load<u64>(at) == 0) at += SLOT_BYTES;
  return at;
}

// @ts-ignore: decorator
@inline
export function loAt(slot: usize): i32 {
  return load<u16>(slot, 8);
}

// @ts-ignore: decorator
@inline
export function hiAt(slot: usize): i32 {
  return load<u16>(slot, 10);
}

// @ts-ignore: decorator
@inline
export function refAt(slot: usize): u32 {
  return load<u32>(slot, 12);
}

// @ts-ignore: decorator
@inline
export function setRef(slot: usize, ref: u32): void {
  store<u32>(slot, ref, 12);
}

/** Merges a bound into a slot. Returns true if it says more than what was known. */
export function learn(slot: usize, lo: i32, hi: i32): bool {
  const heldLo = loAt(slot);
  const heldHi = hiAt(slot);
  if (lo <= heldLo && hi >= heldHi) return false;
  store<u16>(slot, <u16>max(lo, heldLo), 8);
  store<u16>(slot, <u16>min(hi, heldHi), 10);
  const ref = refAt(slot);
  if ((ref & CHANGED) == 0) changed++;
  setRef(slot, ref | CHANGED | NEW);
  return true;
}

/** Returns true if a bound answers whether h ≥ need. */
// @ts-ignore: decorator
@inline
export function settles(lo: i32, hi: i32, need: i32): bool {
  return lo >= need || (hi != NONE && hi < need);
}
