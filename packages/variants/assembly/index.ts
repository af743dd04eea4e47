/*
 * Functions that the loader calls. Threads share a layer: each takes some positions of the list at a
 * time.
 */
import { imagePair, NORMAL, SLIDE_IMAGES, unpack } from "../../boards/assembly/board";
import { CELL_ONES, emptyAmong } from "../../boards/assembly/cells";
import { earned, placed, placeOn, slide, slidTo } from "../../boards/assembly/moves";
import { CELLS, SQUARE } from "../../boards/assembly/shape";
import {
  CURSOR,
  FULL,
  LIST,
  Placement,
  PLACEMENT_BYTES,
  SCRATCH,
  SCRATCH_BYTES,
  TERMINALS,
  TILES,
} from "./layout";
import { directionsOf, imageOf, isOriented, passOf, ruleOf, setRules, valueByRule } from "./rules";
import {
  afterstates,
  clear,
  copyToList,
  countAdded,
  find,
  isNew,
  markOf,
  place,
  setTables,
  tableAt,
  tableOf,
  valuesOf,
} from "./tables";

export {
  COUNTS,
  CURSOR,
  FULL,
  IMAGES,
  LIST,
  MAX_OPTIONS,
  MAX_STATES,
  RULE_BYTES,
  RULES,
  TERMINALS,
  TILES,
} from "./layout";
export { prepare } from "../../boards/assembly/moves";
export { clear };

/** Positions that a thread takes at a time. */
const CHUNK: i32 = 64;

let states: i32 = 0;
let tiles: i32 = 0;
let passes: bool = false;
let scratch: usize = 0;

/** Attaches this instance to a memory, whose rules are written. */
export function attach(
  slotsLog2: i32,
  stateCount: i32,
  ring: i32,
  canPass: bool,
  oriented: bool,
  thread: i32,
): void {
  states = stateCount;
  tiles = load<i32>(TILES);
  passes = canPass;
  scratch = SCRATCH + SCRATCH_BYTES * thread;
  setTables(slotsLog2, stateCount, ring);
  setRules(oriented, tiles);
}

@inline
function exponent(tile: i32): i32 {
  return load<i32>(TILES + 4 + 4 * tile);
}

/** Returns the number of the table that a tile leads to from a sum of twice `half`. */
@inline
function tableAfter(half: i32, tile: i32): i32 {
  return tableOf(half + (1 << (exponent(tile) - 1)));
}

/** Adds a position whose sum is twice `half` to its table. */
export function add(half: i32, board: u64): void {
  const table = tableOf(half);
  if (place(tableAt(table), board) != 0 && isNew) countAdded(table, 1);
}

/** Moves the positions of a sum of twice `half` from their table to the list. */
export function gather(half: i32): i32 {
  const table = tableOf(half);
  const count = copyToList(table);
  clear(table);
  return count;
}

/**
 * Adds the successors of the list's positions, whose sum is twice `half`, to their tables. Stops
 * early when a table is full.
 */
export function expand(half: i32, count: i32): void {
  for (;;) {
    const from = atomic.add<i32>(CURSOR, CHUNK);
    if (from >= count) return;
    const end = min(from + CHUNK, count);
    let terminals = 0;
    for (let i = from; i < end; i++) {
      if (atomic.load<i32>(FULL) != 0) return;
      const board = load<u64>(LIST + ((<usize>i) << 3));
      const cells = unpack(board);
      let isEnd = true;
      for (let direction = 0; direction < 4; direction++) {
        const afterstate = slide(cells, direction);
        if (afterstate == 0) continue;
        isEnd = false;
        expandAfterstate(half, afterstate);
      }
      if (isEnd) terminals++;
      if (passes && emptyAmong(CELL_ONES, board) != 0) expandAfterstate(half, board);
    }
    atomic.add<i32>(TERMINALS, terminals);
  }
}

function expandAfterstate(half: i32, afterstate: u64): void {
  place(tableAt(afterstates()), afterstate);
  if (!isNew) return;
  countAdded(afterstates(), 1);
  placeOn(afterstate);
  for (let tile = 0; tile < tiles; tile++) {
    const table = tableAfter(half, tile);
    const at = tableAt(table);
    let added = 0;
    for (let empty = emptyAmong(CELL_ONES, afterstate); empty != 0; empty &= empty - 1) {
      place(at, placed(<i32>(ctz(empty) >> 2), exponent(tile)));
      added += i32(isNew);
    }
    if (added > 0) countAdded(table, added);
  }
}

/**
 * Values the list's positions, whose sum is twice `half`, and adds them to their table. The tables
 * of the sums that follow hold the values of their positions.
 */
export function value(half: i32, count: i32): void {
  const table = tableAt(tableOf(half));
  for (;;) {
    const from = atomic.add<i32>(CURSOR, CHUNK);
    if (from >= count) return;
    const end = min(from + CHUNK, count);
    for (let i = from; i < end; i++) {
      const board = load<u64>(LIST + ((<usize>i) << 3));
      const at = place(table, board);
      if (at == 0) unreachable(); // the loader made room
      valuePosition(half, board, valuesOf(table, at));
    }
  }
}

/** Writes the values of a position; without a move it is worth 0, and no move is worth less. */
function valuePosition(half: i32, board: u64, values: usize): void {
  for (let state = 0; state < states; state++) store<f64>(values + 8 * state, 0);
  const cells = unpack(board);
  for (let direction = 0; direction < 4; direction++) {
    const afterstate = slide(cells, direction);
    if (afterstate == 0) continue;
    const score = <f64>(4 * earned);
    const symmetry = isOriented ? symmetryOfSlide(direction, afterstate) : 0;
    const then = valued(half, afterstate);
    for (let state = 0; state < states; state++) {
      if (((directionsOf(ruleOf(state)) >> direction) & 1) == 0) continue;
      const image = isOriented ? imageOf(symmetry, state) : state;
      improve(values + 8 * state, score + load<f64>(then + 8 * image));
    }
  }
  if (passes && emptyAmong(CELL_ONES, board) != 0) {
    const then = valued(half, board);
    for (let state = 0; state < states; state++) {
      const next = passOf(ruleOf(state));
      if (next >= 0) improve(values + 8 * state, load<f64>(then + 8 * next));
    }
  }
}

@inline
function improve(at: usize, value: f64): void {
  if (value > load<f64>(at)) store<f64>(at, value);
}

/**
 * Returns the address of the values of an afterstate, which it computes unless a thread has. Two
 * threads may do so at the same time, with the same result.
 */
function valued(half: i32, afterstate: u64): usize {
  const table = tableAt(afterstates());
  const at = place(table, afterstate);
  if (at == 0) unreachable(); // the loader made room
  const values = valuesOf(table, at);
  const mark = markOf(at);
  if (atomic.load<i32>(mark) == 0) {
    const cells = findPlacements(half, afterstate);
    for (let state = 0; state < states; state++) {
      store<f64>(values + 8 * state, valueByRule(ruleOf(state), scratch, cells));
    }
    atomic.store<i32>(mark, 1);
  }
  return values;
}

/** Writes the placements on an afterstate to the scratch; returns the number of empty cells. */
function findPlacements(half: i32, afterstate: u64): i32 {
  placeOn(afterstate);
  let count = 0;
  let to = scratch;
  for (let empty = emptyAmong(CELL_ONES, afterstate); empty != 0; empty &= empty - 1) {
    const cell = <i32>(ctz(empty) >> 2);
    for (let tile = 0; tile < tiles; tile++) {
      const position = placed(cell, exponent(tile));
      const table = tableAt(tableAfter(half, tile));
      const at = find(table, position);
      if (at == 0) unreachable(); // a layer lacks a board that play can reach
      store<u32>(to, <u32>valuesOf(table, at), offsetof<Placement>("values"));
      if (isOriented) {
        const raw = afterstate | ((<u64>exponent(tile)) << (4 * cell));
        store<u32>(to + offsetof<Placement>("symmetry"), symmetryTo(raw, position));
      }
      to += PLACEMENT_BYTES;
    }
    count++;
  }
  return count;
}

/** Returns the number of a symmetry that takes a board to its canonical form. */
function symmetryTo(board: u64, canonical: u64): i32 {
  const cells = unpack(board);
  const pairs = SQUARE ? 4 : 2;
  for (let pair = 0; pair < pairs; pair++) {
    const images = imagePair(cells, NORMAL + 32 * pair);
    if (i64x2.extract_lane(images, 0) == canonical) return 2 * pair;
    if (i64x2.extract_lane(images, 1) == canonical) return 2 * pair + 1;
  }
  return unreachable();
}

/** Returns the number of a symmetry that makes the last slide's result canonical. */
function symmetryOfSlide(direction: i32, canonical: u64): i32 {
  // A place of the slide image holds the cell that the permutation names.
  const permutation = SLIDE_IMAGES + 16 * direction;
  let board: u64 = 0;
  for (let at = 0; at < CELLS; at++) {
    board |= ((slidTo >> (4 * at)) & 15) << (4 * load<u8>(permutation + at));
  }
  return symmetryTo(board, canonical);
}

/**
 * Returns the address of the values of a canonical position whose sum is twice `half`, valued last
 * among its table's; 0 if play cannot reach it.
 */
export function valuesAt(half: i32, board: u64): usize {
  const table = tableAt(tableOf(half));
  const at = find(table, board);
  return at == 0 ? 0 : valuesOf(table, at);
}
