/* What the loader calls. A layer is shared by threads: each takes some positions of its list at a time. */
import { emptyAmong, CELL_ONES } from "../../kernel/assembly/cells";
import { canonicalUnder, NORMAL, prepareBoards, unpack } from "../../kernel/assembly/board";
import { prepareEarnings, prepareLines } from "../../kernel/assembly/lines";
import { SQUARE } from "../../kernel/assembly/shape";
import { AFTERSTATES, AREA, CURSOR, ENTRY_BYTES, FULL, LISTS, TABLES, TERMINALS } from "./layout";
import { earned, placed, placingPair, preparePlaced, slide } from "./moves";
import { sortBoards } from "./sort";
import {
  added,
  attachTables,
  clearTable,
  copyBoards,
  listAt,
  place,
  tableAt,
  tellAdded,
  toValue,
  valueIn,
} from "./tables";

export { COUNTS, CURSOR, FULL, TERMINALS } from "./layout";
export { clearTable, listAt };

/** Positions that a thread takes at a time: some tens of microseconds of work. */
const CHUNK: i32 = 64;

/** Whether the placer may place 4s. */
let fours: bool = true;
/** The exponent of the tile that is to be reached in the game against chance; 0 when points count. */
let goal: u32 = 0;

/** Values against chance are rounded to 2^-16 points, since no board of ten cells is worth 2^16 points, … */
const UNITS_PER_QUARTER: u32 = 4 << 16;
/** … or to 2^-31. */
const CERTAINTY: u32 = 1 << 31;

/** Fills what all threads only read. Called once for a memory, before any thread attaches. */
export function prepare(): void {
  prepareBoards();
  prepareEarnings(0);
  prepareLines();
  preparePlaced();
}

/** Bytes of memory with tables of 2^slotsLog2 slots. */
export function bytesFor(slotsLog2: i32): u64 {
  return AREA + (<u64>((TABLES + LISTS) * ENTRY_BYTES) << slotsLog2);
}

/** Makes this instance work on tables of 2^slotsLog2 slots. */
export function attach(slotsLog2: i32, placesFours: bool, goalExponent: u32): void {
  attachTables(slotsLog2);
  fours = placesFours;
  goal = goalExponent;
}

/** Adds a board to a table. */
export function add(table: i32, board: u64): void {
  const before = added;
  place(tableAt(table), board);
  tellAdded(table, added - before);
}

/** Makes a list of a table's boards, in ascending order; returns how many they are. The afterstates are lost. */
export function gather(table: i32, list: i32): i32 {
  const boards = listAt(list);
  const count = copyBoards(table, boards);
  const scratch = tableAt(AFTERSTATES);
  sortBoards(boards, count, scratch, toValue(scratch));
  return count;
}

/** Puts a list's boards with their values into a table. */
export function fill(table: i32, list: i32, count: i32): void {
  const at = tableAt(table);
  const boards = listAt(list);
  for (let i = 0; i < count; i++) {
    const from = boards + (<usize>i << 3);
    const slot = place(at, load<u64>(from));
    if (slot == 0) return;
    store<u64>(toValue(slot), load<u64>(toValue(from)));
  }
}

/**
 * Adds what follows a list's positions to the tables: the afterstates, and the positions after a 2 to table `near`
 * and after a 4 to the other. Stops early when a table is full.
 */
export function expand(list: i32, count: i32, near: i32): void {
  const boards = listAt(list);
  const afterstates = tableAt(AFTERSTATES);
  const nearAt = tableAt(near);
  const farAt = tableAt(1 - near);
  for (;;) {
    const from = atomic.add<i32>(CURSOR, CHUNK);
    if (from >= count) return;
    const end = min(from + CHUNK, count);
    let newAfterstates = 0;
    let newNear = 0;
    let newFar = 0;
    let terminals = 0;
    for (let i = from; i < end; i++) {
      if (atomic.load<i32>(FULL) != 0) return;
      const cells = unpack(load<u64>(boards + (<usize>i << 3)));
      let legal = false;
      for (let direction = 0; direction < 4; direction++) {
        const afterstate = slide(cells, direction);
        if (afterstate == 0) continue;
        legal = true;
        let before = added;
        place(afterstates, afterstate);
        if (added == before) continue;
        newAfterstates++;
        before = added;
        placeAll(afterstate, 1, nearAt);
        newNear += added - before;
        if (!fours) continue;
        before = added;
        placeAll(afterstate, 2, farAt);
        newFar += added - before;
      }
      if (!legal) terminals++;
    }
    tellAdded(AFTERSTATES, newAfterstates);
    tellAdded(near, newNear);
    tellAdded(1 - near, newFar);
    atomic.add<i32>(TERMINALS, terminals);
  }
}

/** Adds all positions after a tile is placed on an afterstate to a table. */
// @ts-ignore: decorator
@inline
function placeAll(afterstate: u64, exponent: i32, table: usize): void {
  const cells = unpack(afterstate);
  const a = placingPair(cells, 0);
  const b = placingPair(cells, 1);
  const c = SQUARE ? placingPair(cells, 2) : a;
  const d = SQUARE ? placingPair(cells, 3) : b;
  for (let empty = emptyAmong(CELL_ONES, afterstate); empty != 0; empty &= empty - 1) {
    place(table, placed(a, b, c, d, <i32>(ctz(empty) >> 2), exponent));
  }
}

/**
 * Values a list's positions by those that a placement leads to, which tables `near` (after a 2) and the other
 * (after a 4) hold with their values.
 */
export function value(list: i32, count: i32, near: i32): void {
  const boards = listAt(list);
  const nearAt = tableAt(near);
  const farAt = tableAt(1 - near);
  for (;;) {
    const from = atomic.add<i32>(CURSOR, CHUNK);
    if (from >= count) return;
    const end = min(from + CHUNK, count);
    for (let i = from; i < end; i++) {
      const at = boards + (<usize>i << 3);
      store<u64>(toValue(at), valueOfPosition(load<u64>(at), nearAt, farAt));
    }
  }
}

// @ts-ignore: decorator
@inline
function word(quarters: u32, chance: u32): u64 {
  return (<u64>chance << 32) | (quarters + 1);
}

// @ts-ignore: decorator
@inline
function quartersOf(value: u64): u32 {
  return <u32>value - 1;
}

// @ts-ignore: decorator
@inline
function chanceOf(value: u64): u32 {
  return <u32>(value >> 32);
}

// @ts-ignore: decorator
@inline
function valueOfPosition(board: u64, near: usize, far: usize): u64 {
  const cells = unpack(board);
  let quarters: u32 = 0;
  let chance: u32 = 0;
  for (let direction = 0; direction < 4; direction++) {
    const afterstate = slide(cells, direction);
    if (afterstate == 0) continue;
    const score = earned;
    const value = valueOfAfterstate(afterstate, near, far);
    quarters = max(quarters, score + quartersOf(value));
    chance = max(chance, (goal == 0 ? score * UNITS_PER_QUARTER : 0) + chanceOf(value));
  }
  if (goal != 0 && hasGoal(board)) chance = CERTAINTY;
  return word(quarters, chance);
}

/** Whether the tile that is to be reached, or a larger one, is on a board. */
function hasGoal(board: u64): bool {
  for (; board != 0; board >>= 4) if ((<u32>board & 15) >= goal) return true;
  return false;
}

/**
 * The value of an afterstate, from the table or, where no thread has found it yet, by all placements. Two threads may
 * find it at the same time: they find the same.
 */
// @ts-ignore: decorator
@inline
function valueOfAfterstate(board: u64, near: usize, far: usize): u64 {
  const at = place(tableAt(AFTERSTATES), board);
  if (at == 0) unreachable();
  let value = atomic.load<u64>(toValue(at));
  if (value == 0) {
    value = valueByPlacements(board, near, far);
    atomic.store<u64>(toValue(at), value);
  }
  return value;
}

function valueByPlacements(board: u64, near: usize, far: usize): u64 {
  const cells = unpack(board);
  const a = placingPair(cells, 0);
  const b = placingPair(cells, 1);
  const c = SQUARE ? placingPair(cells, 2) : a;
  const d = SQUARE ? placingPair(cells, 3) : b;
  let quarters = u32.MAX_VALUE;
  let twos: u64 = 0;
  let others: u64 = 0;
  const free = emptyAmong(CELL_ONES, board);
  for (let empty = free; empty != 0; empty &= empty - 1) {
    const cell = <i32>(ctz(empty) >> 2);
    const value = valueIn(near, placed(a, b, c, d, cell, 1));
    quarters = min(quarters, quartersOf(value));
    twos += chanceOf(value);
    if (!fours) continue;
    const other = valueIn(far, placed(a, b, c, d, cell, 2));
    quarters = min(quarters, quartersOf(other));
    others += chanceOf(other);
  }
  // Of ten tiles that are placed in the ordinary game nine are 2s; sums of ten cells fit.
  const cellsFree = <u64>popcnt(free);
  const sum = fours ? 9 * twos + others : twos;
  const tiles = fours ? 10 * cellsFree : cellsFree;
  return word(quarters, <u32>((sum + tiles / 2) / tiles));
}

/** The canonical form of a board of the normal layout. */
export function canonical(board: u64): u64 {
  return canonicalUnder(board, NORMAL);
}
