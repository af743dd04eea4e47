/*
 * Tables of demands: hash tables with linear probing, keyed by whole boards. While threads enter
 * demands, nobody removes any; bounds only become tighter. So a table's content does not depend on
 * the order in which they are entered.
 */
import { ARENA_SLOTS, Claim, CLAIM_BYTES, MOST_HI, SPARE, Table } from "./layout";

/** The most sixteenths of the slots to fill, as a rule and when the arena has no more room. */
const USUAL_LOAD: u64 = 10;
const MOST_LOAD: u64 = 14;

/** Returns the address of the first slot that may hold a board. */
@inline
export function firstSlot(table: usize, board: u64): usize {
  let mixed = board ^ (board >> 29);
  mixed *= 0xbf58476d1ce4e5b9;
  mixed ^= mixed >> 32;
  mixed *= 0x94d049bb133111eb;
  const slots = <u64>load<u32>(table, offsetof<Table>("slots"));
  const slot = <usize>(((mixed >> 32) * slots) >> 32);
  return load<usize>(table, offsetof<Table>("at")) + slot * <usize>CLAIM_BYTES;
}

/** Returns the address after a table's last slot. */
@inline
export function endOf(table: usize): usize {
  const slots = load<u32>(table, offsetof<Table>("slots"));
  return load<usize>(table, offsetof<Table>("at")) + slots * CLAIM_BYTES;
}

/** Returns the address of the slot with a board, or of the empty one where it would be. */
@inline
export function slotFrom(table: usize, first: usize, board: u64): usize {
  const end = endOf(table);
  let slot = first;
  let held = load<u64>(slot, offsetof<Claim>("board"));
  while (held != board && held != 0) {
    slot += CLAIM_BYTES;
    if (slot == end) slot = load<usize>(table, offsetof<Table>("at"));
    held = load<u64>(slot, offsetof<Claim>("board"));
  }
  return slot;
}

/** Raises a number that other threads may raise at the same time. */
@inline
function raise(at: usize, value: u32): void {
  for (let old = atomic.load<u32>(at); old < value; ) {
    const found = atomic.cmpxchg<u32>(at, old, value);
    if (found == old) return;
    old = found;
  }
}

/** Enters a demand into a table with a free slot; returns whether the board is new there. */
export function enter(table: usize, board: u64, lo: u32, hi: u32): bool {
  const end = endOf(table);
  let slot = firstSlot(table, board);
  let isNew = false;
  for (;;) {
    let held = atomic.load<u64>(slot, offsetof<Claim>("board"));
    if (held == 0) {
      held = atomic.cmpxchg<u64>(slot, 0, board, offsetof<Claim>("board"));
      isNew = held == 0;
      if (isNew) break;
    }
    if (held == board) break;
    slot += CLAIM_BYTES;
    if (slot == end) slot = load<usize>(table, offsetof<Table>("at"));
  }
  raise(slot + offsetof<Claim>("lo"), lo);
  raise(slot + offsetof<Claim>("hi"), hi);
  return isNew;
}

/** Makes an empty table in an arena of zeros, with room for about `expected` demands. */
export function makeTable(table: usize, at: usize, expected: u32): void {
  const most = load<u32>(ARENA_SLOTS);
  const slots = min(max((<u64>expected * 16) / USUAL_LOAD, 1024), <u64>most);
  store<usize>(table, at, offsetof<Table>("at"));
  store<u32>(table, <u32>slots, offsetof<Table>("slots"));
  store<u32>(table, 0, offsetof<Table>("count"));
  store<u32>(table, 0, offsetof<Table>("pending"));
}

/**
 * Makes room for the pending demands of a table; returns false if its arena has too little. Only
 * one thread may run.
 */
export function makeRoom(table: usize): bool {
  const count = load<u32>(table, offsetof<Table>("count"));
  const needed = <u64>count + load<u32>(table, offsetof<Table>("pending"));
  const slots = <u64>load<u32>(table, offsetof<Table>("slots"));
  if (needed * 16 <= slots * USUAL_LOAD) return true;
  if (slots < load<u32>(ARENA_SLOTS)) {
    const from = load<usize>(table, offsetof<Table>("at"));
    const end = endOf(table);
    makeTable(table, load<usize>(SPARE), <u32>min(2 * needed, u32.MAX_VALUE));
    for (let slot = from; slot < end; slot += CLAIM_BYTES) {
      const board = load<u64>(slot, offsetof<Claim>("board"));
      if (board == 0) continue;
      const to = slotFrom(table, firstSlot(table, board), board);
      memory.copy(to, slot, CLAIM_BYTES);
    }
    store<u32>(table, count, offsetof<Table>("count"));
    memory.fill(from, 0, end - from);
    store<usize>(SPARE, from);
  }
  return needed * 16 <= <u64>load<u32>(table, offsetof<Table>("slots")) * MOST_LOAD;
}

/** Copies a table's demands as claims to `to`, possibly its arena's start; returns their number. */
export function copyClaims(table: usize, to: usize): u32 {
  const first = to;
  const end = endOf(table);
  for (let slot = load<usize>(table, offsetof<Table>("at")); slot < end; slot += CLAIM_BYTES) {
    if (load<u64>(slot, offsetof<Claim>("board")) == 0) continue;
    const hi = load<u32>(slot, offsetof<Claim>("hi"));
    memory.copy(to, slot, CLAIM_BYTES);
    store<u32>(to, hi == 0 ? 0 : MOST_HI - hi + 1, offsetof<Claim>("hi"));
    to += CLAIM_BYTES;
  }
  return <u32>((to - first) / <usize>CLAIM_BYTES);
}

/** Turns a table into claims by ascending board at its arena's start; returns their number. */
export function listClaims(table: usize): u32 {
  const at = load<usize>(table, offsetof<Table>("at"));
  const count = copyClaims(table, at);
  const end = at + count * CLAIM_BYTES;
  memory.fill(end, 0, endOf(table) - end);
  sort(at, end);
  return count;
}

/** Clears a list of claims, so that its arena can hold a table. */
export function clearClaims(at: usize, count: u32): void {
  memory.fill(at, 0, count * CLAIM_BYTES);
}

/** Enters claims, one a board, into an empty table with room for them. */
export function enterClaims(table: usize, from: usize, count: u32): void {
  const end = from + count * CLAIM_BYTES;
  for (let claim = from; claim < end; claim += CLAIM_BYTES) {
    const hi = load<u32>(claim, offsetof<Claim>("hi"));
    const board = load<u64>(claim, offsetof<Claim>("board"));
    enter(table, board, load<u32>(claim, offsetof<Claim>("lo")), hi == 0 ? 0 : MOST_HI - hi + 1);
  }
  store<u32>(table, count, offsetof<Table>("count"));
}

@inline
function swap(a: usize, b: usize): void {
  const first = v128.load(a);
  v128.store(a, v128.load(b));
  v128.store(b, first);
}

/** Bytes of a list that is sorted by insertion. */
const SHORT: i32 = 12 * CLAIM_BYTES;

/** Sorts claims by ascending board: median-of-three quicksort, recursing into the shorter part. */
function sort(from: usize, to: usize): void {
  while (to - from > <usize>SHORT) {
    const last = to - CLAIM_BYTES;
    const middle = from + ((to - from) / (2 * <usize>CLAIM_BYTES)) * CLAIM_BYTES;
    if (load<u64>(middle) < load<u64>(from)) swap(middle, from);
    if (load<u64>(last) < load<u64>(middle)) {
      swap(last, middle);
      if (load<u64>(middle) < load<u64>(from)) swap(middle, from);
    }
    const pivot = load<u64>(middle);
    let low = from;
    let high = last;
    while (low <= high) {
      while (load<u64>(low) < pivot) low += CLAIM_BYTES;
      while (load<u64>(high) > pivot) high -= CLAIM_BYTES;
      if (low > high) break;
      swap(low, high);
      low += CLAIM_BYTES;
      high -= CLAIM_BYTES;
    }
    if (high - from < to - low) {
      sort(from, high + CLAIM_BYTES);
      from = low;
    } else {
      sort(low, to);
      to = high + CLAIM_BYTES;
    }
  }
  for (let next = from + CLAIM_BYTES; next < to; next += CLAIM_BYTES) {
    const claim = v128.load(next);
    const board = load<u64>(next);
    let at = next;
    while (at > from && load<u64>(at - CLAIM_BYTES) > board) {
      v128.store(at, v128.load(at - CLAIM_BYTES));
      at -= CLAIM_BYTES;
    }
    v128.store(at, claim);
  }
}
