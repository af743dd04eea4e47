/*
 * Counts the moves of a valued layer, and what best play does there: how its slides treat merges
 * and corners, which boards nobody wants to move on, and where its placements lie.
 */
import { unpack } from "../../boards/assembly/board";
import { BOARD_MASK, CELL_ONES, emptyAmong } from "../../boards/assembly/cells";
import { earned, placeOn, slide, slidFrom, slidTo } from "../../boards/assembly/moves";
import { BOARD_BITS, CELLS, COL_COUNT, ROW_COUNT } from "../../boards/assembly/shape";
import { chanceOf, hasFours, headAfter, UNITS_PER_QUARTER } from "./game";
import {
  DISTANCES,
  HARDEST,
  HARDEST_KEPT,
  LARGEST_LOSS,
  NEXT_PART,
  PLACEMENTS_AT,
  SLIDES_AT,
  SMALLEST_LOSS,
  SURVEY,
  SURVEY_BYTES,
  SURVEY_PARTS,
} from "./layout";
import { afterstatesAt, find, headOf, targetOf } from "./tables";

/** Order of the first counts; `survey-counts.ts` reads them. */
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
const WORST_PLACEMENTS = 19;
const WORST_FOURS = 20;

/**
 * Largest difference at which slides count as equally good against chance: 0.0001 points. Each step
 * rounds, but the roundings mostly cancel: on 2×3, equally good slides differ by at most one unit,
 * and others by at least two.
 */
const SAME: u32 = 8;

/** Bit of an afterstate's value: a best slide leads to it. */
const AFTER_BEST: u64 = 1 << 31;

/** The calling thread's part of the counts: threads rarely share one, so they seldom wait. */
let counts: usize = 0;

// A key has the board, or its complement, behind a value or a tile sum, neither of which takes 16
// bits.
if (BOARD_BITS + 16 > 64) ERROR("a key of a survey does not fit 64 bits");

/** Gives the calling thread a part of the counts. */
export function attachSurvey(): void {
  counts = SURVEY + SURVEY_BYTES * (atomic.add<i32>(NEXT_PART, 1) & (SURVEY_PARTS - 1));
}

@inline
function count(index: i32, more: u64 = 1): void {
  atomic.add<u64>(counts + ((<usize>index) << 3), more);
}

/**
 * Counts the slides of a position, and a board that occurs with either side to move. Sets of slides
 * have a bit for each direction. All positions of the layer, and their afterstates, must be valued.
 *
 * @param value the head of the position
 */
export function surveyPosition(board: u64, value: u64): void {
  const cells = unpack(board);
  const quarters = quartersOf(value);
  judgeTurn(board, quarters);
  const top = largestOf(board);
  const cornered = largestIn(board, NORMAL_CORNERS, top) != 0;
  let legal = 0;
  let best = 0;
  let bestByChance = 0;
  let merging = 0;
  let staying = 0;
  let greedy = 0;
  let most: u32 = 0;
  for (let direction = 0; direction < 4; direction++) {
    const afterstate = slide(cells, direction);
    if (afterstate == 0) continue;
    const slid = 1 << direction;
    const at = headOf(find(afterstatesAt(), afterstate));
    const left = atomic.load<u64>(at);
    legal |= slid;
    if (earned + quartersOf(left) == quarters) {
      best |= slid;
      if ((left & AFTER_BEST) == 0) atomic.or<u64>(at, AFTER_BEST);
    }
    const chance = earned * UNITS_PER_QUARTER + chanceOf(left);
    if (chance + SAME >= chanceOf(value)) bestByChance |= slid;
    if (earned > 0) merging |= slid;
    if (earned > most) greedy = 0;
    most = max(most, earned);
    if (earned == most) greedy |= slid;
    if (cornered && keepsCorner(direction < 2 ? NORMAL_CORNERS : TRANSPOSED_CORNERS, top)) {
      staying |= slid;
    }
  }
  if (legal == 0) return;
  countSlides(SLIDES_AT, legal);
  countSlides(SLIDES_AT + 4, best);
  if (popcnt(best) == 1) countSlides(SLIDES_AT + 8, best);
  countSlides(SLIDES_AT + 12, bestByChance);
  if (popcnt(bestByChance) == 1) countSlides(SLIDES_AT + 16, bestByChance);
  count(SLIDABLE);
  const greedySome = (greedy & best) != 0;
  const greedyAll = (greedy & ~best) == 0;
  if (greedySome) count(GREEDY_SOME);
  if (greedyAll) count(GREEDY_ALL);
  if (merging != 0) {
    count(MERGEABLE);
    if (merging != legal) count(CHOICE);
    if ((best & merging) == 0) count(QUIET);
    if (greedySome) count(MERGING_SOME);
    if (greedyAll) count(MERGING_ALL);
  }
  if (!cornered) return;
  count(CORNERED);
  if (staying == 0) return;
  const isLeft = (best & staying) == 0;
  count(COULD_STAY);
  if (isLeft) count(CORNER_LEFT);
  const largest = largestIn(board, BOARD_MASK, top);
  if (largest >> (ctz(largest) & ~3) > 15) return;
  count(LONE_COULD_STAY);
  if (isLeft) count(LONE_LEFT);
}

/** Counts each slide of a set; their counts begin at index `from`. */
function countSlides(from: i32, slides: i32): void {
  for (let rest = slides; rest != 0; rest &= rest - 1) count(from + ctz(rest));
}

/** Returns a value against the placer, in points / 4. */
@inline
function quartersOf(value: u64): u32 {
  return (<u32>(value & ~AFTER_BEST) >> 16) - 1;
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
  const at = find(afterstatesAt(), board);
  if (at == 0) return;
  count(EITHER);
  const placerFirst = quartersOf(load<u64>(headOf(at)));
  if (quarters >= placerFirst) return;
  count(ZUGZWANGS);
  raise(LARGEST_LOSS, ((<u64>(placerFirst - quarters)) << BOARD_BITS) | (BOARD_MASK - board));
  let sum: u64 = 0;
  for (let rest = board; rest != 0; rest >>= 4) sum += (u64(1) << (rest & 15)) >> 1;
  raise(SMALLEST_LOSS, ~((sum << BOARD_BITS) | board));
}

/** Replaces a shared number by a larger one; returns the smaller of the two. */
function raise(at: usize, key: u64): u64 {
  let kept = atomic.load<u64>(at);
  while (key > kept) {
    const found = atomic.cmpxchg<u64>(at, kept, key);
    if (found == kept) return kept;
    kept = found;
  }
  return key;
}

/**
 * Counts the worst placements on an afterstate. All positions of the layer must be surveyed.
 *
 * @param value the head of the afterstate
 */
export function surveyAfterstate(board: u64, value: u64): void {
  placeOn(board);
  const near = targetOf(1).table;
  const far = targetOf(2).table;
  const top = largestOf(board);
  const worst = quartersOf(value);
  let kindest = worst;
  let twos: u64 = 0;
  let others: u64 = 0;
  for (let empty = emptyAmong(CELL_ONES, board); empty != 0; empty &= empty - 1) {
    const cell = <i32>(ctz(empty) >> 2);
    const toTop = distance(board, cell, top);
    const two = quartersOf(headAfter(near, cell, 1));
    countPlacement(1, toTop, distance(board, cell, 1), two == worst);
    twos += u64(two == worst);
    kindest = max(kindest, two);
    if (!hasFours()) continue;
    const other = quartersOf(headAfter(far, cell, 2));
    countPlacement(2, toTop, distance(board, cell, 2), other == worst);
    others += u64(other == worst);
    kindest = max(kindest, other);
  }
  count(PLACED_ON);
  if (kindest > worst) count(DECIDED);
  if (others == 0) count(ONLY_TWOS);
  if (twos == 0) count(ONLY_FOURS);
  if ((value & AFTER_BEST) == 0) return;
  count(WORST_PLACEMENTS, twos + others);
  count(WORST_FOURS, others);
  keepHardest(kindest - worst, board);
}

function countPlacement(exponent: i32, toLargest: i32, toEqual: i32, isWorst: bool): void {
  const largest = PLACEMENTS_AT + 2 * (DISTANCES * (exponent - 1) + toLargest);
  const equal = PLACEMENTS_AT + 2 * (DISTANCES * (exponent + 1) + toEqual);
  count(largest);
  count(equal);
  if (!isWorst) return;
  count(largest + 1);
  count(equal + 1);
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

/**
 * Keeps an afterstate if it is among the hardest by the difference between the kindest and the
 * worst placement; of equal ones the smaller board wins. Each slot keeps the hardest afterstate it
 * sees and passes the other to the next slot, so the result does not depend on the order of the
 * threads.
 */
function keepHardest(taken: u32, board: u64): void {
  let key = ((<u64>taken) << BOARD_BITS) | (BOARD_MASK - board);
  const end = HARDEST + 8 * HARDEST_KEPT;
  if (key < atomic.load<u64>(end - 8)) return;
  for (let at = HARDEST; at < end; at += 8) key = raise(at, key);
}
