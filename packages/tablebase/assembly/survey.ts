/*
 * Values positions and counts their moves. The lower half of a value has an additional field here,
 * so that of two slides the better one has the larger number, and of equally good ones the one
 * after which play lasts longer:
 *
 *     bit  31        of an afterstate: a best slide leads to it and its placements have been counted
 *     bits 30 … 16   value against the placer: points / 4 plus 1
 *     bits 15 …  0   number of slides of the longest line of best play by both sides
 *
 * No value on ten cells exceeds 36,868 points, and no line has more than 2,046 slides, since the
 * tile placed after each adds at least 2 to a sum of at most 4,092.
 */
import { unpack } from "../../boards/assembly/board";
import { BOARD_MASK, CELL_ONES, emptyAmong } from "../../boards/assembly/cells";
import { BOARD_BITS, SQUARE } from "../../boards/assembly/shape";
import { fours } from "./game";
import {
  AFTERSTATES,
  CHUNK,
  CURSOR,
  HARDEST,
  HARDEST_KEPT,
  SLIDE_COUNTS,
  SLIDE_COUNTS_BYTES,
  SlideCounts,
  WORST_COUNTS,
  WorstCounts,
} from "./layout";
import { earned, placed, placingPair, slide } from "../../boards/assembly/moves";
import { listAt, place, tableAt, toValue, valueIn } from "./tables";
import { average, chanceOf, UNITS_PER_QUARTER } from "./values";

const COUNTED: u64 = 1 << 31;
const SLIDES: u32 = 0xffff;

/**
 * Largest difference at which slides count as equally good against chance: 0.0001 points. Each step
 * rounds, but the roundings mostly cancel: on 2×3, equally good slides differ by at most one unit,
 * and others by at least two.
 */
const SAME: u32 = 8;

/**
 * Counts of the calling thread since its last {@link tell}, with one lane each for left, right, up
 * and down.
 */
let legal: v128 = i32x4.splat(0);
let best: v128 = i32x4.splat(0);
let onlyBest: v128 = i32x4.splat(0);
let bestByChance: v128 = i32x4.splat(0);
let onlyBestByChance: v128 = i32x4.splat(0);
/** Number of worst placements, and the number of those that place a 4. */
let worstPlacements: u32 = 0;
let worstFours: u32 = 0;

/**
 * Values a list's positions as `value` does, and counts their moves and those of their afterstates.
 */
export function survey(list: i32, count: i32, near: i32): void {
  const boards = listAt(list);
  const nearAt = tableAt(near);
  const farAt = tableAt(1 - near);
  for (;;) {
    const from = atomic.add<i32>(CURSOR, CHUNK);
    if (from >= count) return;
    const end = min(from + CHUNK, count);
    for (let i = from; i < end; i++) {
      const at = boards + ((<usize>i) << 3);
      store<u64>(toValue(at), surveyPosition(load<u64>(at), nearAt, farAt));
    }
    tell();
  }
}

/** Adds the calling thread's counts to the shared ones. */
function tell(): void {
  legal = told(0, legal);
  best = told(1, best);
  onlyBest = told(2, onlyBest);
  bestByChance = told(3, bestByChance);
  onlyBestByChance = told(4, onlyBestByChance);
  atomic.add<u64>(WORST_COUNTS + offsetof<WorstCounts>("placements"), worstPlacements);
  atomic.add<u64>(WORST_COUNTS + offsetof<WorstCounts>("fours"), worstFours);
  worstPlacements = 0;
  worstFours = 0;
}

/** Adds one kind of counts to the shared ones; returns zeros to restart with. */
function told(kind: i32, counts: v128): v128 {
  const at = SLIDE_COUNTS + SLIDE_COUNTS_BYTES * kind;
  atomic.add<u64>(at + offsetof<SlideCounts>("left"), <u32>i32x4.extract_lane(counts, 0));
  atomic.add<u64>(at + offsetof<SlideCounts>("right"), <u32>i32x4.extract_lane(counts, 1));
  atomic.add<u64>(at + offsetof<SlideCounts>("up"), <u32>i32x4.extract_lane(counts, 2));
  atomic.add<u64>(at + offsetof<SlideCounts>("down"), <u32>i32x4.extract_lane(counts, 3));
  return i32x4.splat(0);
}

function surveyPosition(board: u64, near: usize, far: usize): u64 {
  const cells = unpack(board);
  const left = afterSlide(cells, 0, near, far);
  const leftAt = reached;
  const right = afterSlide(cells, 1, near, far);
  const rightAt = reached;
  const up = afterSlide(cells, 2, near, far);
  const upAt = reached;
  const down = afterSlide(cells, 3, near, far);
  const downAt = reached;
  const most = max(max(<u32>left, <u32>right), max(<u32>up, <u32>down));
  if (most == 0) return 1 << 16;
  const mostByChance = max(max(chanceOf(left), chanceOf(right)), max(chanceOf(up), chanceOf(down)));

  // A true lane is −1, so subtract it.
  const rows = i64x2.replace_lane(i64x2.splat(left), 1, right);
  const columns = i64x2.replace_lane(i64x2.splat(up), 1, down);
  const lows = v128.shuffle<i32>(rows, columns, 0, 2, 4, 6);
  const chances = v128.shuffle<i32>(rows, columns, 1, 3, 5, 7);
  const isLegal = v128.ne<i32>(lows, i32x4.splat(0));
  const isBest = v128.eq<i32>(v128.shr<u32>(lows, 16), i32x4.splat(most >> 16));
  const isBestByChance = v128.and(
    isLegal,
    v128.ge<u32>(v128.add<i32>(chances, i32x4.splat(SAME)), i32x4.splat(mostByChance)),
  );
  const bests = v128.bitmask<i32>(isBest);
  legal = v128.sub<i32>(legal, isLegal);
  best = v128.sub<i32>(best, isBest);
  if (popcnt(bests) == 1) onlyBest = v128.sub<i32>(onlyBest, isBest);
  bestByChance = v128.sub<i32>(bestByChance, isBestByChance);
  if (popcnt(v128.bitmask<i32>(isBestByChance)) == 1) {
    onlyBestByChance = v128.sub<i32>(onlyBestByChance, isBestByChance);
  }
  if (bests & 1) countPlacementsOnce(leftAt, near, far);
  if (bests & 2) countPlacementsOnce(rightAt, near, far);
  if (bests & 4) countPlacementsOnce(upAt, near, far);
  if (bests & 8) countPlacementsOnce(downAt, near, far);
  return ((<u64>mostByChance) << 32) | most;
}

/** Output of {@link afterSlide}: address of the afterstate in its table. */
let reached: usize = 0;

/**
 * Returns the value of a position after a slide, whose line is one slide longer than the
 * afterstate's; 0 if the slide changes nothing.
 */
@inline
function afterSlide(cells: v128, direction: i32, near: usize, far: usize): u64 {
  const afterstate = slide(cells, direction);
  if (afterstate == 0) return 0;
  const score = earned;
  const value = valueOfAfterstate(afterstate, near, far) & ~COUNTED;
  return value + ((<u64>(score * UNITS_PER_QUARTER)) << 32) + ((<u64>score) << 16) + 1;
}

/**
 * Returns the value of an afterstate from the table or, if no thread has stored it yet, from all
 * placements. Keeps a value that another thread stored meanwhile and may have marked.
 */
function valueOfAfterstate(board: u64, near: usize, far: usize): u64 {
  reached = place(tableAt(AFTERSTATES), board);
  if (reached == 0) unreachable();
  const at = toValue(reached);
  const value = atomic.load<u64>(at);
  if (value != 0) return value;
  const found = valueByPlacements(board, near, far);
  const kept = atomic.cmpxchg<u64>(at, 0, found);
  return kept == 0 ? found : kept;
}

function valueByPlacements(board: u64, near: usize, far: usize): u64 {
  const cells = unpack(board);
  const a = placingPair(cells, 0);
  const b = placingPair(cells, 1);
  const c = SQUARE ? placingPair(cells, 2) : a;
  const d = SQUARE ? placingPair(cells, 3) : b;
  // The bits of the slides are flipped: of equally bad placements the one with the longer line is
  // smaller.
  let worst = u32.MAX_VALUE;
  let twos: u64 = 0;
  let others: u64 = 0;
  const free = emptyAmong(CELL_ONES, board);
  for (let empty = free; empty != 0; empty &= empty - 1) {
    const cell = <i32>(ctz(empty) >> 2);
    const value = valueIn(near, placed(a, b, c, d, cell, 1));
    worst = min(worst, <u32>value ^ SLIDES);
    twos += chanceOf(value);
    if (!fours) continue;
    const other = valueIn(far, placed(a, b, c, d, cell, 2));
    worst = min(worst, <u32>other ^ SLIDES);
    others += chanceOf(other);
  }
  return ((<u64>average(twos, others, popcnt(free))) << 32) | (worst ^ SLIDES);
}

/** Counts the placements on an afterstate unless a thread already has. */
function countPlacementsOnce(afterstate: usize, near: usize, far: usize): void {
  const at = toValue(afterstate);
  if ((atomic.load<u64>(at) & COUNTED) != 0) return;
  if ((atomic.or<u64>(at, COUNTED) & COUNTED) != 0) return;
  countPlacements(load<u64>(afterstate), near, far);
}

function countPlacements(board: u64, near: usize, far: usize): void {
  const cells = unpack(board);
  const a = placingPair(cells, 0);
  const b = placingPair(cells, 1);
  const c = SQUARE ? placingPair(cells, 2) : a;
  const d = SQUARE ? placingPair(cells, 3) : b;
  let worst = u32.MAX_VALUE;
  let kindest: u32 = 0;
  let twos: u32 = 0;
  let others: u32 = 0;
  for (let empty = emptyAmong(CELL_ONES, board); empty != 0; empty &= empty - 1) {
    const cell = <i32>(ctz(empty) >> 2);
    const two = quartersIn(near, placed(a, b, c, d, cell, 1));
    const four = fours ? quartersIn(far, placed(a, b, c, d, cell, 2)) : two;
    const worse = min(two, four);
    if (worse < worst) {
      worst = worse;
      twos = 0;
      others = 0;
    }
    twos += u32(two == worst);
    others += u32(fours && four == worst);
    kindest = max(kindest, max(two, four));
  }
  worstPlacements += twos + others;
  worstFours += others;
  keepHardest(kindest - worst, board);
}

@inline
function quartersIn(table: usize, board: u64): u32 {
  return <u32>valueIn(table, board) >> 16;
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
  for (let at = HARDEST; at < end; at += 8) {
    let kept = atomic.load<u64>(at);
    while (key > kept) {
      const found = atomic.cmpxchg<u64>(at, kept, key);
      if (found == kept) {
        key = kept;
        break;
      }
      kept = found;
    }
  }
}
