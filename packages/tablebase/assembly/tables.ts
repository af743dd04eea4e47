/*
 * Hash tables of boards, with open addressing, which all threads fill at once: one atomic exchange
 * claims a slot, and a slot is never released, so a board never moves. No reachable board is 0,
 * which marks a free slot.
 *
 * Values are 64-bit words, so that both halves are written at once; 0 means no value:
 *     bits 63 … 32   value against chance, in units of 2^-16 points, or of 2^-31
 *     bits 31 …  0   value against the placer: points / 4 plus 1
 */
import { AREA, COUNTS, ENTRY_BYTES, FULL, TABLES } from "./layout";

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
// @ts-ignore: decorator
@inline
export function tableAt(table: i32): usize {
  return AREA + <usize>table * slots * ENTRY_BYTES;
}

/** Returns the address of a list's boards; their values follow them. */
// @ts-ignore: decorator
@inline
export function listAt(list: i32): usize {
  return tableAt(TABLES + list);
}

/** Converts the address of a board to that of its value. */
// @ts-ignore: decorator
@inline
export function toValue(at: usize): usize {
  return at + ((<usize>slots) << 3);
}

// @ts-ignore: decorator
@inline
function slotOf(board: u64): u32 {
  return <u32>((board * 0x9e3779b97f4a7c15) >> shift);
}

/** Number of boards that the calling thread has added to tables; see {@link tellAdded}. */
export let added: i32 = 0;

/** Returns the address of a board in a table, adding it if it is new; 0 if the table is full. */
// @ts-ignore: decorator
@inline
export function place(table: usize, board: u64): usize {
  let slot = slotOf(board);
  for (let probes: u32 = 0; probes < slots; probes++) {
    const at = table + ((<usize>slot) << 3);
    let held = load<u64>(at);
    if (held == 0) {
      held = atomic.cmpxchg<u64>(at, 0, board);
      if (held == 0) {
        added++;
        return at;
      }
    }
    if (held == board) return at;
    slot = (slot + 1) & (slots - 1);
  }
  atomic.store<i32>(FULL, 1);
  return 0;
}

/** Returns the value of a board that is in a table. */
// @ts-ignore: decorator
@inline
export function valueIn(table: usize, board: u64): u64 {
  let slot = slotOf(board);
  let at = table + ((<usize>slot) << 3);
  for (let held = load<u64>(at); held != board; held = load<u64>(at)) {
    if (held == 0) unreachable(); // a layer lacks a board that play can reach
    slot = (slot + 1) & (slots - 1);
    at = table + ((<usize>slot) << 3);
  }
  return load<u64>(toValue(at));
}

/** Returns the value of a board in a table; 0 if the table lacks the board. */
// @ts-ignore: decorator
@inline
export function valueOrZero(table: usize, board: u64): u64 {
  let slot = slotOf(board);
  let at = table + ((<usize>slot) << 3);
  for (let held = load<u64>(at); held != board; held = load<u64>(at)) {
    if (held == 0) return 0;
    slot = (slot + 1) & (slots - 1);
    at = table + ((<usize>slot) << 3);
  }
  return load<u64>(toValue(at));
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

/** Copies the boards of a table, in no particular order, to an address; returns their number. */
export function copyBoards(table: i32, to: usize): i32 {
  let count: u32 = 0;
  const from = tableAt(table);
  const end = toValue(from);
  for (let at = from; at < end; at += 8) {
    const board = load<u64>(at);
    if (board == 0) continue;
    store<u64>(to + ((<usize>count) << 3), board);
    count++;
  }
  return count;
}
