/*
 * Demands: h ≥ need, of a board, so that a board of a lower layer can be proven. A list of demands
 * in a file has, in ascending order of keys and needs, for each pair
 *     the difference of the key from the one before   varint
 *     need                                            varint, points / 4
 *     the number of edges that demand it              varint
 *
 * A visit records how the demands of a part change, in a list for each part on which they are made,
 * linked backward; then it applies the changes to the lists of the last visit.
 */
import { CHAINS, LAYERS_READ, MAX_PARTS } from "./layout";
import { nextHeld, place, placeNeed, SLOT_BYTES, slotsFor, tableBytes } from "./slots";
import { readFrom, readNumber, writeNumber, writeTo } from "./varint";

/** A change: u64 key, u32 address of the one before it on the same part, u16 need, i16 number of edges. */
const CHANGE_BYTES: usize = 16;

/** Address of the next record. */
export let recordAt: usize = 0;

/** Forgets all changes; the next ones are recorded from `at`. */
export function clearDemands(at: usize): void {
  memory.fill(CHAINS, 0, LAYERS_READ * MAX_PARTS * 8);
  recordAt = at;
}

// @ts-ignore: decorator
@inline
function chainAt(step: i32, part: u32): usize {
  return CHAINS + (<usize>step * MAX_PARTS + part) * 8;
}

/** Records that `edges` more edges, or fewer if negative, demand something of a board `step` layers above. */
export function demand(step: i32, part: u32, key: u64, need: i32, edges: i32): void {
  const chain = chainAt(step, part);
  store<u64>(recordAt, key);
  store<u32>(recordAt, load<u32>(chain), 8);
  store<u16>(recordAt, <u16>need, 12);
  store<i16>(recordAt, <i16>edges, 14);
  store<u32>(chain, <u32>recordAt);
  store<u32>(chain, load<u32>(chain, 4) + 1, 4);
  recordAt += CHANGE_BYTES;
}

/** Returns the number of changes of the demands on a part. */
export function changesOn(step: i32, part: u32): u32 {
  return load<u32>(chainAt(step, part), 4);
}

/** Puts a list of `count` demands into a table of the largest demand on each board. */
export function takeDemands(table: usize, slots: u32, from: usize, count: u32): void {
  readFrom(from);
  let key: u64 = 0;
  for (let i: u32 = 0; i < count; i++) {
    key += readNumber();
    const need = <u32>readNumber();
    readNumber();
    const slot = place(table, slots, key);
    if (need > load<u16>(slot, 8)) store<u16>(slot, <u16>need, 8);
  }
}

let lastKey: u64 = 0;
let written: u32 = 0;

// @ts-ignore: decorator
@inline
function writeDemand(key: u64, need: u32, edges: u32): void {
  writeNumber(key - lastKey);
  writeNumber(need);
  writeNumber(edges);
  lastKey = key;
  written++;
}

/**
 * Applies the changes on a part to the `count` demands of the last visit at `from`, and writes the
 * result to `at`. Uses the memory behind `scratch`, which must be clear, and clears it again. Returns
 * the number of demands written; `writeAt` is the end.
 */
export function writeDemands(
  step: i32,
  part: u32,
  from: usize,
  count: u32,
  at: usize,
  scratch: usize,
): u32 {
  const chain = chainAt(step, part);
  const slots = slotsFor(load<u32>(chain, 4));
  for (let record = <usize>load<u32>(chain); record != 0; record = load<u32>(record, 8)) {
    const slot = placeNeed(scratch, slots, load<u64>(record), load<u16>(record, 12));
    store<i32>(slot, load<i32>(slot, 12) + load<i16>(record, 14), 12);
  }
  readFrom(from);
  writeTo(at);
  lastKey = 0;
  written = 0;
  const end = scratch + tableBytes(slots);
  let change = nextHeld(scratch, end);
  let key: u64 = 0;
  for (; count > 0; count--) {
    key += readNumber();
    const need = <u32>readNumber();
    let edges = <i32>readNumber();
    while (change < end && isBefore(change, key, need)) change = writeNew(change, end);
    if (change < end && load<u64>(change) == key && load<u16>(change, 8) == need) {
      edges += load<i32>(change, 12);
      if (edges < 0) unreachable(); // more edges are gone than there were
      change = nextHeld(change + SLOT_BYTES, end);
    }
    if (edges > 0) writeDemand(key, need, edges);
  }
  while (change < end) change = writeNew(change, end);
  memory.fill(scratch, 0, tableBytes(slots));
  return written;
}

// @ts-ignore: decorator
@inline
function isBefore(change: usize, key: u64, need: u32): bool {
  const held = load<u64>(change);
  return held < key || (held == key && load<u16>(change, 8) < need);
}

/** Writes a demand that was not made before; returns the next change. */
function writeNew(change: usize, end: usize): usize {
  const edges = load<i32>(change, 12);
  if (edges < 0) unreachable();
  if (edges > 0) writeDemand(load<u64>(change), load<u16>(change, 8), edges);
  return nextHeld(change + SLOT_BYTES, end);
}
