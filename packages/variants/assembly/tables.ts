/*
 * Hash tables of boards (see `hash.ts` of `boards`). Behind its boards a table has a mark (i32) for
 * each, nonzero once its values are written, and the values themselves: an f64 for each state.
 */
import { claim, copyBoards, lookUp } from "../../boards/assembly/hash";
import { COUNTS, FULL, LIST } from "./layout";

export { isNew } from "../../boards/assembly/hash";

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

@inline
export function tableAt(table: i32): usize {
  return LIST + ((<usize>slots) << 3) + <usize>table * <usize>slots * <usize>(16 + 8 * states);
}

/** Returns the table of the positions whose tile sum is twice `half`. */
@inline
export function tableOf(half: i32): i32 {
  return half % ring;
}

@inline
export function afterstates(): i32 {
  return ring;
}

/** Converts the address of a board to that of its mark. */
@inline
export function markOf(at: usize): usize {
  return at + ((<usize>slots) << 3);
}

/** Converts the address of a board in a table to that of its values. */
@inline
export function valuesOf(table: usize, at: usize): usize {
  return table + ((<usize>slots) << 4) + (at - table) * <usize>states;
}

/** Returns the address of a board in a table, adding it if it is new; 0 if the table is full. */
@inline
export function place(table: usize, board: u64): usize {
  const at = claim(table, slots, shift, board);
  if (at == 0) atomic.store<i32>(FULL, 1);
  return at;
}

/** Returns the address of a board in a table; 0 if the table lacks the board. */
@inline
export function find(table: usize, board: u64): usize {
  return lookUp(table, slots, shift, board);
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
  return copyBoards(tableAt(table), slots, LIST);
}
