/*
 * The proven bounds of the boards of three layers: the layer that is visited, and the two above it
 * that hold the children after a 2 and after a 4. The bounds of a part are a sorted table
 * (`slots.ts`), listed in the directory once it is loaded. The host loads a part when a look first
 * needs it.
 *
 * A list of bounds in a file has, in the order of their keys, for each board
 *     the difference of its key from the one before      varint
 *     4·lo + 1, or 4·hi + 2, or 4·lo + 3 and hi − lo     varints, points / 4
 */
import { DIRECTORY, LAYERS_READ, MAX_PARTS } from "./layout";
import { homeOf, nextHeld, place, SLOT_BYTES, tableBytes } from "./slots";
import { partOf } from "./parts";
import { readAt, readFrom, readNumber, writeNumber, writeTo } from "./varint";

/** Loads the bounds of a part of the layer `step` above the visited one, and lists them in the directory. */
declare function loadPart(step: i32, part: u32): void;

/** No upper bound known. */
export const NONE: u32 = 0xffff;
/** Mark of a bound that has changed since the part's base was written. */
export const CHANGED: u32 = 1;

/** Binary logarithms of the number of parts of the three layers. */
let partsLog2: u64 = 0;

/** Sets the binary logarithms of the number of parts of the visited layer and of the two above it. */
export function setParts(own: u32, near: u32, far: u32): void {
  partsLog2 = <u64>own | ((<u64>near) << 8) | ((<u64>far) << 16);
}

/** Returns the number of a board's part in the layer `step` above the visited one. */
// @ts-ignore: decorator
@inline
export function partIn(step: i32, board: u64): u32 {
  return partOf(board, <u32>(partsLog2 >> (8 * step)) & 255);
}

// @ts-ignore: decorator
@inline
export function directoryAt(step: i32, part: u32): usize {
  return DIRECTORY + (<usize>step * MAX_PARTS + part) * 8;
}

/** Number of times that the directory was cleared: addresses found before are then of no use. */
export let clearings: u32 = 0;

/** Empties the directory: no part's bounds are loaded. */
export function clearDirectory(): void {
  memory.fill(DIRECTORY, 0, LAYERS_READ * MAX_PARTS * 8);
  clearings++;
}

/** Returns the address of a key's home among the bounds of a part of the layer `step` above. */
// @ts-ignore: decorator
@inline
export function homeIn(step: i32, part: u32, key: u64): usize {
  const entry = directoryAt(step, part);
  if (load<u32>(entry) == 0) loadPart(step, part);
  return homeOf(load<u32>(entry), load<u32>(entry, 4), key);
}

// @ts-ignore: decorator
@inline
export function loAt(slot: usize): i32 {
  return slot == 0 ? 0 : load<u16>(slot, 8);
}

// @ts-ignore: decorator
@inline
export function hiAt(slot: usize): i32 {
  return slot == 0 ? NONE : load<u16>(slot, 10);
}

/** Merges a bound into a table. Returns true if it says more than what was known. */
export function learn(table: usize, slots: u32, key: u64, lo: i32, hi: i32): bool {
  const slot = place(table, slots, key);
  const heldLo: i32 = load<u16>(slot, 8);
  const heldHi: i32 = load<u16>(slot, 10);
  if (lo <= heldLo && hi >= heldHi) return false;
  store<u16>(slot, <u16>max(lo, heldLo), 8);
  store<u16>(slot, <u16>min(hi, heldHi), 10);
  store<u32>(slot, CHANGED, 12);
  return true;
}

/** Makes a table of a list of `count` bounds; its memory need not be clear. */
export function fill(table: usize, slots: u32, from: usize, count: u32): void {
  const reading = readAt; // a visit may be reading its open nodes
  readFrom(from);
  let key: u64 = 0;
  let free = table;
  for (let i: u32 = 0; i < count; i++) {
    key += readNumber();
    const home = homeOf(table, slots, key);
    const at = home > free ? home : free;
    for (; free < at; free += SLOT_BYTES) store<u64>(free, 0);
    store<u64>(at, key);
    readBound(at);
    store<u32>(at, 0, 12);
    free = at + SLOT_BYTES;
  }
  for (const end = table + tableBytes(slots); free < end; free += SLOT_BYTES) store<u64>(free, 0);
  readFrom(reading);
}

/** Merges a list of `count` bounds into a table, and marks them as changed. */
export function add(table: usize, slots: u32, from: usize, count: u32): void {
  const reading = readAt;
  readFrom(from);
  let key: u64 = 0;
  for (let i: u32 = 0; i < count; i++) {
    key += readNumber();
    const slot = place(table, slots, key);
    readBound(slot);
    store<u32>(slot, CHANGED, 12);
  }
  readFrom(reading);
}

/** Reads a bound into a slot. */
// @ts-ignore: decorator
@inline
function readBound(slot: usize): void {
  const code = <u32>readNumber();
  const value = code >> 2;
  store<u16>(slot, <u16>((code & 1) != 0 ? value : 0), 8);
  const hi = (code & 3) == 3 ? value + <u32>readNumber() : (code & 2) != 0 ? value : NONE;
  store<u16>(slot, <u16>hi, 10);
}

/**
 * Writes the bounds of a table, or those that have changed since its base was written, to `at`.
 * Returns their number; `writeAt` is the end.
 */
export function writeBounds(table: usize, slots: u32, onlyChanged: bool, at: usize): u32 {
  writeTo(at);
  const end = table + tableBytes(slots);
  let last: u64 = 0;
  let count: u32 = 0;
  for (let slot = nextHeld(table, end); slot < end; slot = nextHeld(slot + SLOT_BYTES, end)) {
    if (onlyChanged && load<u32>(slot, 12) != CHANGED) continue;
    const key = load<u64>(slot);
    writeNumber(key - last);
    writeBound(slot);
    last = key;
    count++;
  }
  return count;
}

/** Writes the bound of a slot. */
function writeBound(slot: usize): void {
  const lo: u32 = load<u16>(slot, 8);
  const hi: u32 = load<u16>(slot, 10);
  if (hi == NONE) writeNumber((lo << 2) | 1);
  else if (lo == 0) writeNumber((hi << 2) | 2);
  else {
    writeNumber((lo << 2) | 3);
    writeNumber(hi - lo);
  }
}
