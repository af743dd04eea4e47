/*
 * Counts of what best play does in a surveyed layer: how its slides treat merges and corners, which
 * boards nobody wants to move on, and where its placements lie. Both functions run after `survey`,
 * whose values are in the list and in the table of afterstates.
 */
import { unpack } from "../../boards/assembly/board";
import { BOARD_MASK, CELL_ONES, emptyAmong } from "../../boards/assembly/cells";
import { BOARD_BITS, CELLS, COL_COUNT, ROW_COUNT, SQUARE } from "../../boards/assembly/shape";
import { fours } from "./game";
import {
  AFTERSTATES,
  CHUNK,
  CURSOR,
  DISTANCES,
  HABITS,
  HABITS_BYTES,
  HABITS_PARTS,
  LARGEST_LOSS,
  NEXT_PART,
  PLACEMENTS_AT,
  SMALLEST_LOSS,
} from "./layout";
import { earned, placed, placingPair, slide, slidFrom, slidTo } from "../../boards/assembly/moves";
import { listAt, slotCount, tableAt, toValue, valueIn, valueOrZero } from "./tables";

/** Order of the counts; `move-counts.ts` reads them. */
const SLIDABLE = 0;
const MERGEABLE = 1;
const QUIET = 2;
const GREEDY_SOME = 3;
const GREEDY_ALL = 4;
const MERGING_SOME = 5;
const MERGING_ALL = 6;
const CORNERED = 7;
const COULD_STAY = 8;
const CORNER_LEFT = 9;
const EITHER = 10;
const ZUGZWANGS = 11;
const PLACED_ON = 12;
const ONLY_TWOS = 13;
const ONLY_FOURS = 14;
const CHOICE = 15;
const LONE_COULD_STAY = 16;
const LONE_LEFT = 17;
const DECIDED = 18;

/** The calling thread's part of the counts: threads rarely share one, so they seldom wait. */
let counts: usize = 0;

/** Gives the calling thread a part of the counts. */
export function attachHabits(): void {
  counts = HABITS + HABITS_BYTES * (atomic.add<i32>(NEXT_PART, 1) & (HABITS_PARTS - 1));
}

@inline
function count(index: i32): void {
  atomic.add<u64>(counts + ((<usize>index) << 3), 1);
}

/** Counts the slides of a list's positions, and the boards that occur with either side to move. */
export function judge(list: i32, size: i32, near: i32): void {
  const boards = listAt(list);
  for (;;) {
    const from = atomic.add<i32>(CURSOR, CHUNK);
    if (from >= size) return;
    const end = min(from + CHUNK, size);
    for (let i = from; i < end; i++) {
      const at = boards + ((<usize>i) << 3);
      const board = load<u64>(at);
      const quarters = (<u32>load<u64>(toValue(at)) >> 16) - 1;
      judgeSlides(board, quarters);
      judgeTurn(board, quarters);
    }
  }
}

function judgeSlides(board: u64, quarters: u32): void {
  const cells = unpack(board);
  let most: u32 = 0;
  let legal = false;
  let quiet = true;
  let hasQuiet = false;
  let stays = false;
  let bestStays = false;
  let greedyIsBest = false;
  let greedyIsWorse = false;
  const top = largestOf(board);
  const cornered = largestIn(board, NORMAL_CORNERS, top) != 0;
  for (let direction = 0; direction < 4; direction++) {
    const afterstate = slide(cells, direction);
    if (afterstate == 0) continue;
    const score = earned;
    const best = score + quartersOf(valueIn(tableAt(AFTERSTATES), afterstate)) == quarters;
    if (!legal || score > most) {
      most = score;
      greedyIsBest = false;
      greedyIsWorse = false;
    }
    legal = true;
    if (score == most) {
      if (best) greedyIsBest = true;
      else greedyIsWorse = true;
    }
    if (best && score > 0) quiet = false;
    if (score == 0) hasQuiet = true;
    if (!cornered) continue;
    const corners = direction < 2 ? NORMAL_CORNERS : TRANSPOSED_CORNERS;
    if (keepsCorner(corners, top)) {
      stays = true;
      if (best) bestStays = true;
    }
  }
  if (!legal) return;
  count(SLIDABLE);
  if (greedyIsBest) count(GREEDY_SOME);
  if (!greedyIsWorse) count(GREEDY_ALL);
  if (most > 0) {
    count(MERGEABLE);
    if (hasQuiet) count(CHOICE);
    if (quiet) count(QUIET);
    if (greedyIsBest) count(MERGING_SOME);
    if (!greedyIsWorse) count(MERGING_ALL);
  }
  if (!cornered) return;
  count(CORNERED);
  if (!stays) return;
  count(COULD_STAY);
  if (!bestStays) count(CORNER_LEFT);
  const largest = largestIn(board, BOARD_MASK, top);
  if (largest >> (ctz(largest) & ~3) > 15) return;
  count(LONE_COULD_STAY);
  if (!bestStays) count(LONE_LEFT);
}

/** Bit of an afterstate's value that `survey` sets. */
const COUNTED: u32 = 1 << 31;

/** Returns the value, in points / 4, from the lower half of a word of `survey`. */
@inline
function quartersOf(value: u64): u32 {
  return ((<u32>value & ~COUNTED) >> 16) - 1;
}

/** All bits of the corner cells of a board, and of its transposed images. */
const NORMAL_CORNERS: u64 = corners(COL_COUNT);
const TRANSPOSED_CORNERS: u64 = corners(ROW_COUNT);

function corners(length: i32): u64 {
  const last = CELLS - length;
  return (
    u64(15) |
    (u64(15) << (4 * (length - 1))) |
    (u64(15) << (4 * last)) |
    (u64(15) << (4 * (CELLS - 1)))
  );
}

function largestOf(board: u64): u64 {
  let largest: u64 = 0;
  for (let rest = board; rest != 0; rest >>= 4) largest = max(largest, rest & 15);
  return largest;
}

/** Returns all bits of those of some cells that hold the exponent `top` or a larger one. */
function largestIn(board: u64, cells: u64, top: u64): u64 {
  let found: u64 = 0;
  for (let cell = 0; cell < CELLS; cell++) {
    const mask = u64(15) << (4 * cell);
    if ((cells & mask) != 0 && ((board >> (4 * cell)) & 15) >= top) found |= mask;
  }
  return found;
}

/** Returns true if the last slide left a largest tile, or one made of it, in its corner. */
function keepsCorner(cells: u64, top: u64): bool {
  return (largestIn(slidFrom, cells, top) & largestIn(slidTo, cells, top)) != 0;
}

/** Looks whether the slider would rather have the placer move on a board. */
function judgeTurn(board: u64, quarters: u32): void {
  const value = valueOrZero(tableAt(AFTERSTATES), board);
  if (value == 0) return;
  count(EITHER);
  const placerFirst = quartersOf(value);
  if (quarters >= placerFirst) return;
  count(ZUGZWANGS);
  raise(LARGEST_LOSS, ((<u64>(placerFirst - quarters)) << BOARD_BITS) | (BOARD_MASK - board));
  let sum: u64 = 0;
  for (let rest = board; rest != 0; rest >>= 4) sum += (u64(1) << (rest & 15)) >> 1;
  raise(SMALLEST_LOSS, ~((sum << BOARD_BITS) | board));
}

/** Replaces a shared number by a larger one. */
function raise(at: usize, key: u64): void {
  let kept = atomic.load<u64>(at);
  while (key > kept) {
    const found = atomic.cmpxchg<u64>(at, kept, key);
    if (found == kept) return;
    kept = found;
  }
}

/** Counts the worst placements on all afterstates. */
export function respond(list: i32, size: i32, near: i32): void {
  const boards = tableAt(AFTERSTATES);
  const nearAt = tableAt(near);
  const farAt = tableAt(1 - near);
  const end = slotCount();
  for (;;) {
    const from = atomic.add<i32>(CURSOR, 16 * CHUNK);
    if (<u32>from >= end) return;
    const to = min(<u32>from + 16 * CHUNK, end);
    for (let slot = <u32>from; slot < to; slot++) {
      const at = boards + ((<usize>slot) << 3);
      const board = load<u64>(at);
      if (board != 0) respondTo(board, quartersOf(load<u64>(toValue(at))), nearAt, farAt);
    }
  }
}

function respondTo(board: u64, worst: u32, near: usize, far: usize): void {
  const cells = unpack(board);
  const a = placingPair(cells, 0);
  const b = placingPair(cells, 1);
  const c = SQUARE ? placingPair(cells, 2) : a;
  const d = SQUARE ? placingPair(cells, 3) : b;
  const top = largestOf(board);
  let twos = false;
  let others = false;
  let decided = false;
  for (let empty = emptyAmong(CELL_ONES, board); empty != 0; empty &= empty - 1) {
    const cell = <i32>(ctz(empty) >> 2);
    const toTop = distance(board, cell, top);
    const two = quartersOf(valueIn(near, placed(a, b, c, d, cell, 1))) == worst;
    countPlacement(1, toTop, distance(board, cell, 1), two);
    twos = twos || two;
    decided = decided || !two;
    if (!fours) continue;
    const other = quartersOf(valueIn(far, placed(a, b, c, d, cell, 2))) == worst;
    countPlacement(2, toTop, distance(board, cell, 2), other);
    others = others || other;
    decided = decided || !other;
  }
  count(PLACED_ON);
  if (decided) count(DECIDED);
  if (!others) count(ONLY_TWOS);
  if (!twos) count(ONLY_FOURS);
}

function countPlacement(exponent: i32, toLargest: i32, toEqual: i32, isWorst: bool): void {
  const tile = exponent - 1;
  count(PLACEMENTS_AT + 2 * (DISTANCES * tile + toLargest));
  count(PLACEMENTS_AT + 2 * (DISTANCES * (2 + tile) + toEqual));
  if (!isWorst) return;
  count(PLACEMENTS_AT + 2 * (DISTANCES * tile + toLargest) + 1);
  count(PLACEMENTS_AT + 2 * (DISTANCES * (2 + tile) + toEqual) + 1);
}

/**
 * Returns the number of steps, along rows and columns, from a cell to the nearest tile of an
 * exponent; 0 if there is no such tile.
 */
function distance(board: u64, cell: i32, exponent: u64): i32 {
  const row = cell / COL_COUNT;
  const col = cell % COL_COUNT;
  let least = 0;
  for (let other = 0; other < CELLS; other++) {
    if (((board >> (4 * other)) & 15) != exponent) continue;
    const steps = abs(other / COL_COUNT - row) + abs((other % COL_COUNT) - col);
    if (least == 0 || steps < least) least = steps;
  }
  return least;
}
