/*
 * Hash tables of boards with values, and lists of boards. Each has room for the same number of
 * boards, its *slots*, a power of two. For each board there is a *head*, a 64-bit word that is 0
 * until the board is valued, and in tables what its values need besides:
 *
 *     boards   8 bytes for each slot of two lists, then of the tables
 *     heads    the same
 *     more     some bytes for each slot of the tables
 *
 * The lists are those of the positions of two layers, by the parity of half their tile sums. There
 * is a ring of tables of positions, and one of afterstates behind it. The table of a tile sum is
 * number (sum / 2) mod (largest tile / 2 + 1), so that a layer and all layers that a placement
 * leads to have tables of their own.
 *
 * All threads fill a table at once, with open addressing: one atomic exchange claims a slot, and a
 * slot is never released, so a board never moves. No reachable board is 0, which marks a free slot.
 */
import { COUNTS, FULL, SCRATCH, SCRATCH_BYTES, Target, TARGETS } from "./layout";

const LISTS: i32 = 2;

/** The placer's tiles: their sum, which has a bit for each, at the place of its exponent. */
export let tiles: i32 = 0;
/** The calling thread's scratch. */
export let scratch: usize = 0;
/** True if the last call of {@link addTo} added its board. */
export let isNew: bool = false;

let slots: u32 = 0;
let shift: u64 = 0;
/** Number of tables of positions; that of the afterstates is the next. */
let ring: i32 = 0;
/** Address of the boards, and the distance from a board to its head. */
let boards: usize = 0;
let toHead: usize = 0;
/** Words for each board beside the head. */
let words: usize = 0;

/** Divides the memory behind the threads' scratch into lists and tables of 2^slotsLog2 slots. */
export function attachTables(
  slotsLog2: i32,
  threads: i32,
  thread: i32,
  tileSet: i32,
  moreWords: i32,
): void {
  if (tileSet >> TARGETS != 0) unreachable(); // too large a tile
  slots = 1 << slotsLog2;
  shift = 64 - slotsLog2;
  tiles = tileSet;
  words = moreWords;
  ring = (1 << (30 - clz(tileSet))) + 1;
  scratch = SCRATCH + SCRATCH_BYTES * thread;
  boards = SCRATCH + SCRATCH_BYTES * threads;
  const tables = ring + 1;
  toHead = ((<usize>slots) << 3) * (LISTS + tables);
  const bytes = ((<u64>slots) << 3) * (2 * (LISTS + tables) + moreWords * tables);
  if (boards + bytes > (<u64>memory.size()) << 16) unreachable(); // the loader expects other sizes
}

/** Returns the address of a table's boards. */
@inline
function tableAt(table: i32): usize {
  return boards + ((<usize>slots) << 3) * (LISTS + table);
}

/** Returns the number of the table of positions whose sum is twice `half`. */
@inline
function tableOf(half: i32): i32 {
  return half % ring;
}

/** Returns the address of the list of positions whose sum is twice `half`. */
export function listAt(half: i32): usize {
  return boards + ((<usize>slots) << 3) * (half & 1);
}

/** Converts the address of a board to that of its head. */
@inline
export function headOf(at: usize): usize {
  return at + toHead;
}

/** Converts the address of a board in a table to that of what its values need beside the head. */
@inline
export function moreOf(at: usize): usize {
  return boards + 2 * toHead + (at - tableAt(0)) * words;
}

/** Returns the number of boards that each table has room for. */
export function slotCount(): u32 {
  return slots;
}

/** Returns the address of the table of positions whose sum is twice `half`. */
export function positionsAt(half: i32): usize {
  return tableAt(tableOf(half));
}

/** Finds the calling thread's targets: the tables to which positions of the sum 2 × `half` lead. */
export function aim(half: i32): void {
  for (let exponent = 0; exponent < TARGETS; exponent++) {
    const target = targetOf(exponent);
    target.number = exponent == 0 ? ring : tableOf(half + (1 << (exponent - 1)));
    target.table = tableAt(target.number);
    target.added = 0;
  }
}

/** Returns the target after a tile of an exponent is placed or, for 0, that of the afterstates. */
@inline
export function targetOf(exponent: i32): Target {
  return changetype<Target>(scratch + offsetof<Target>() * exponent);
}

/** Returns the address of the table of afterstates. */
@inline
export function afterstatesAt(): usize {
  return targetOf(0).table;
}

@inline
function slotOf(board: u64): u32 {
  return <u32>((board * 0x9e3779b97f4a7c15) >> shift);
}

/** Returns the address of a board in a table, adding it if it is new; 0 if the table is full. */
@inline
export function addTo(table: usize, board: u64): usize {
  const mask = slots - 1;
  let slot = slotOf(board);
  isNew = false;
  for (let probes: u32 = 0; probes <= mask; probes++) {
    const at = table + ((<usize>slot) << 3);
    let held = load<u64>(at);
    if (held == 0) {
      held = atomic.cmpxchg<u64>(at, 0, board);
      if (held == 0) {
        isNew = true;
        return at;
      }
    }
    if (held == board) return at;
    slot = (slot + 1) & mask;
  }
  atomic.store<i32>(FULL, 1);
  return 0;
}

/** Does the same in a table that has room, because the loader has counted. */
@inline
export function put(table: usize, board: u64): usize {
  const at = addTo(table, board);
  if (at == 0) unreachable();
  return at;
}

/** Returns the address of a board in a table that is not full; 0 if the table lacks the board. */
@inline
export function find(table: usize, board: u64): usize {
  const mask = slots - 1;
  let slot = slotOf(board);
  let at = table + ((<usize>slot) << 3);
  let held = load<u64>(at);
  while (held != board && held != 0) {
    slot = (slot + 1) & mask;
    at = table + ((<usize>slot) << 3);
    held = load<u64>(at);
  }
  return held == board ? at : 0;
}

/** Returns the address of a board that is in a table. */
@inline
export function found(table: usize, board: u64): usize {
  const at = find(table, board);
  if (at == 0) unreachable(); // a layer lacks a board that play can reach
  return at;
}

/** Adds the boards that the calling thread has added to its targets to their numbers. */
export function countAdded(): void {
  for (let exponent = 0; exponent < TARGETS; exponent++) {
    const target = targetOf(exponent);
    if (target.added > 0) countIn(target.number, target.added);
    target.added = 0;
  }
}

/** Adds to a table's number of boards; sets FULL if there are so many that searching takes long. */
function countIn(table: i32, added: i32): void {
  const count = atomic.add<i32>(COUNTS + 4 * table, added) + added;
  if (<u32>count > (slots >> 2) * 3) atomic.store<i32>(FULL, 1);
}

/** Adds a position whose sum is twice `half` to its table. */
export function add(half: i32, board: u64): void {
  addTo(positionsAt(half), board);
  if (isNew) countIn(tableOf(half), 1);
}

/** Copies a table of positions to their list, in no particular order; returns their number. */
export function copyToList(half: i32): i32 {
  const table = positionsAt(half);
  const list = listAt(half);
  let end = list;
  for (let slot: u32 = 0; slot < slots; slot++) {
    const board = load<u64>(table + ((<usize>slot) << 3));
    if (board == 0) continue;
    store<u64>(end, board);
    end += 8;
  }
  return <i32>((end - list) >> 3);
}

/** Empties a table. */
function clear(table: i32): void {
  const at = tableAt(table);
  memory.fill(at, 0, slots << 3);
  memory.fill(headOf(at), 0, slots << 3);
  atomic.store<i32>(COUNTS + 4 * table, 0);
}

/** Empties the table of the positions whose sum is twice `half`. */
export function clearPositions(half: i32): void {
  clear(tableOf(half));
}

export function clearAfterstates(): void {
  clear(ring);
}
