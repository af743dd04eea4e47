/*
 * Hash tables of boards (see `hash.ts` of `boards`) with values. Values are 64-bit words, so that
 * all parts are written at once; 0 means no value:
 *
 *     bits 63 … 32   value against chance, in units of 2^-16 points, or of 2^-31
 *     bit  31        of an afterstate in a survey: a best slide leads to it
 *     bits 30 … 16   value against the placer: points / 4 plus 1
 *     bits 15 …  0   number of slides of the longest line of best play by both sides, for surveys
 *
 * So of two slides the better one has the larger lower half, and of equally good ones the one after
 * which play lasts longer. No value on ten cells exceeds 36,868 points, and no line has more than
 * 2,046 slides, since the tile placed after each adds at least 2 to a sum of at most 4,092.
 */
import { claim, lookUp } from "../../boards/assembly/hash";
import { AREA, COUNTS, ENTRY_BYTES, FULL, TABLES } from "./layout";

export { isNew } from "../../boards/assembly/hash";

/** Bits of the slides in a value. */
export const SLIDES: u32 = 0xffff;

/** Returns the part of a value that holds in the game against chance. */
@inline
export function chanceOf(value: u64): u32 {
  return <u32>(value >> 32);
}

/** Slots per table and places per list. */
let slots: u32 = 0;
let shift: u64 = 0;
/** Maximum number of keys of a table; with more, searching takes long. */
let mostKeys: u32 = 0;

/** Sets the size of all tables and lists to 2^slotsLog2 entries. */
export function attachTables(slotsLog2: i32): void {
  slots = 1 << slotsLog2;
  shift = 64 - slotsLog2;
  mostKeys = (slots >> 2) * 3;
}

/** Returns the address of a table's keys; its values follow them. */
@inline
export function tableAt(table: i32): usize {
  return AREA + <usize>table * slots * ENTRY_BYTES;
}

/** Returns the address of a list's boards; their values follow them. */
@inline
export function listAt(list: i32): usize {
  return tableAt(TABLES + list);
}

/** Converts the address of a board to that of its value. */
@inline
export function toValue(at: usize): usize {
  return at + ((<usize>slots) << 3);
}

/** Returns the address of a board in a table, adding it if it is new; 0 if the table is full. */
@inline
export function place(table: usize, board: u64): usize {
  const at = claim(table, slots, shift, board);
  if (at == 0) atomic.store<i32>(FULL, 1);
  return at;
}

/** Returns the address of the value of a board in a table; 0 if the table lacks the board. */
@inline
export function find(table: usize, board: u64): usize {
  const at = lookUp(table, slots, shift, board);
  return at == 0 ? 0 : toValue(at);
}

/** Returns the value of a board that is in a table. */
@inline
export function valueIn(table: usize, board: u64): u64 {
  const at = find(table, board);
  if (at == 0) unreachable(); // a layer lacks a board that play can reach
  return load<u64>(at);
}

/** Returns the number of slots of each table. */
export function slotCount(): u32 {
  return slots;
}

/** Adds `count` to the number of a table's boards; sets FULL if there are too many. */
export function tellAdded(table: i32, count: i32): void {
  const before = atomic.add<i32>(COUNTS + 4 * table, count);
  if (<u32>(before + count) > mostKeys) atomic.store<i32>(FULL, 1);
}

/** Empties a table. */
export function clearTable(table: i32): void {
  memory.fill(tableAt(table), 0, slots * ENTRY_BYTES);
  atomic.store<i32>(COUNTS + 4 * table, 0);
}
