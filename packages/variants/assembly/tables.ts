/*
 * Hash tables of boards, with open addressing, which all threads fill at once: one atomic exchange
 * claims a place, and a place is never released, so a board never moves. No board is 0, which marks
 * a free place. Behind its boards a table has a mark (i32) for each, nonzero once its values are
 * written, and the values themselves: an f64 for each state.
 */
import { COUNTS, FULL, LIST } from "./layout";

let slots: u32 = 0;
let shift: u64 = 0;
/** Maximum number of boards of a table; with more, searching takes long. */
let mostBoards: i32 = 0;
let states: i32 = 0;
/** Number of tables of positions; the table of afterstates follows them. */
let ring: i32 = 0;

export function setTables(slotsLog2: i32, stateCount: i32, tables: i32): void {
  slots = 1 << slotsLog2;
  shift = 64 - slotsLog2;
  mostBoards = <i32>((slots >> 2) * 3);
  states = stateCount;
  ring = tables;
}

// @ts-ignore: decorator
@inline
export function tableAt(table: i32): usize {
  return LIST + ((<usize>slots) << 3) + <usize>table * <usize>slots * <usize>(16 + 8 * states);
}

/** Returns the table of the positions whose tile sum is twice `half`. */
// @ts-ignore: decorator
@inline
export function tableOf(half: i32): i32 {
  return half % ring;
}

// @ts-ignore: decorator
@inline
export function afterstates(): i32 {
  return ring;
}

/** Returns the address of the mark of a table's place. */
// @ts-ignore: decorator
@inline
export function markOf(table: usize, place: u32): usize {
  return table + ((<usize>slots + <usize>place) << 3);
}

/** Returns the address of the values of a table's place. */
// @ts-ignore: decorator
@inline
export function valuesOf(table: usize, place: u32): usize {
  return table + ((<usize>slots) << 4) + <usize>place * <usize>(8 * states);
}

/** True if the last call of {@link place} added a board. */
export let isNew: bool = false;
export const NONE: u32 = u32.MAX_VALUE;

/** Returns the place of a board in a table, adding it if it is new; NONE if the table is full. */
// @ts-ignore: decorator
@inline
export function place(table: usize, board: u64): u32 {
  let slot = <u32>((board * 0x9e3779b97f4a7c15) >> shift);
  isNew = false;
  for (let probes: u32 = 0; probes < slots; probes++) {
    const at = table + ((<usize>slot) << 3);
    let held = load<u64>(at);
    if (held == 0) {
      held = atomic.cmpxchg<u64>(at, 0, board);
      if (held == 0) {
        isNew = true;
        return slot;
      }
    }
    if (held == board) return slot;
    slot = (slot + 1) & (slots - 1);
  }
  atomic.store<i32>(FULL, 1);
  return NONE;
}

/** Returns the place of a board in a table, or NONE. */
// @ts-ignore: decorator
@inline
export function find(table: usize, board: u64): u32 {
  let slot = <u32>((board * 0x9e3779b97f4a7c15) >> shift);
  let held = load<u64>(table + ((<usize>slot) << 3));
  while (held != board && held != 0) {
    slot = (slot + 1) & (slots - 1);
    held = load<u64>(table + ((<usize>slot) << 3));
  }
  return held == board ? slot : NONE;
}

/** Adds to the number of a table's boards; sets FULL if there are too many. */
export function countAdded(table: i32, count: i32): void {
  const all = atomic.add<i32>(COUNTS + 4 * table, count) + count;
  if (all > mostBoards) atomic.store<i32>(FULL, 1);
}

/** Empties a table. */
export function clear(table: i32): void {
  memory.fill(tableAt(table), 0, (<usize>slots) << 4);
  atomic.store<i32>(COUNTS + 4 * table, 0);
}

/** Copies the boards of a table to the list, in no particular order; returns their number. */
export function copyToList(table: i32): i32 {
  const from = tableAt(table);
  let count: i32 = 0;
  for (let slot: u32 = 0; slot < slots; slot++) {
    const board = load<u64>(from + ((<usize>slot) << 3));
    if (board == 0) continue;
    store<u64>(LIST + ((<usize>count) << 3), board);
    count++;
  }
  return count;
}
