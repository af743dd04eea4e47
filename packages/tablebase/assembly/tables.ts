/*
 * Hash tables of boards, with open addressing, filled by all threads at once: a slot is taken by one atomic exchange and
 * never given back, so whoever finds a board finds it for good. No board of play is 0, which marks a free slot.
 *
 * Values are words of 64 bits, so that both halves are written at once; 0 is no value:
 *     bits 63 … 32   what the board is worth against chance, in units of 2^-16 points, or of 2^-31
 *     bits 31 …  0   what it is worth against the placer: points / 4, and 1
 */
import { AREA, COUNTS, ENTRY_BYTES, FULL, TABLES } from "./layout";

/** Slots of each table and places of each list. */
let slots: u32 = 0;
let shift: u64 = 0;
/** The most keys of a table: with more, searching takes long. */
let mostKeys: u32 = 0;

/** Sets the size of all tables and lists, 2^slotsLog2 entries. */
export function attachTables(slotsLog2: i32): void {
  slots = 1 << slotsLog2;
  shift = 64 - slotsLog2;
  mostKeys = (slots >> 2) * 3;
}

/** The keys of a table; its values come after them. */
// @ts-ignore: decorator
@inline
export function tableAt(table: i32): usize {
  return AREA + <usize>table * slots * ENTRY_BYTES;
}

/** The boards of a list; their values come after them. */
// @ts-ignore: decorator
@inline
export function listAt(list: i32): usize {
  return tableAt(TABLES + list);
}

/** From the place of a board to that of its value. */
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

/** How many boards the calling thread has added to a table since it last told so; see {@link tellAdded}. */
export let added: i32 = 0;

/** Where a board is in a table, which it is added to if it is new; 0 if the table is full. */
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

/** The value of a board that is in a table. */
// @ts-ignore: decorator
@inline
export function valueIn(table: usize, board: u64): u64 {
  let slot = slotOf(board);
  let at = table + ((<usize>slot) << 3);
  for (let held = load<u64>(at); held != board; held = load<u64>(at)) {
    if (held == 0) unreachable(); // a layer lacks a board that play leads to
    slot = (slot + 1) & (slots - 1);
    at = table + ((<usize>slot) << 3);
  }
  return load<u64>(toValue(at));
}

/** Counts `count` more boards in a table; notes when they are too many. */
export function tellAdded(table: i32, count: i32): void {
  const before = atomic.add<i32>(COUNTS + 4 * table, count);
  if (<u32>(before + count) > mostKeys) atomic.store<i32>(FULL, 1);
}

/** Takes all boards out of a table. */
export function clearTable(table: i32): void {
  memory.fill(tableAt(table), 0, slots * ENTRY_BYTES);
  atomic.store<i32>(COUNTS + 4 * table, 0);
}

/** Copies the boards of a table, in no order, to an address; returns how many they are. */
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
