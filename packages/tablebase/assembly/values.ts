/* Values of a layer's positions, computed from those of their successors; `tables.ts` has their form. */
import { unpack } from "../../boards/assembly/board";
import { CELL_ONES, emptyAmong } from "../../boards/assembly/cells";
import { AFTERSTATES, CHUNK, CURSOR } from "./layout";
import { earned, placed, placeOn, slide } from "../../boards/assembly/moves";
import { chanceOf, listAt, place, SLIDES, tableAt, toValue, valueIn } from "./tables";

/** True if the placer may place 4s. */
export let fours: bool = true;
/** Exponent of the tile to reach in the game against chance; 0 if points count. */
let goal: u32 = 0;

/** Sets the game and goal of the calling thread. */
export function setGame(placesFours: bool, goalExponent: u32): void {
  fours = placesFours;
  goal = goalExponent;
}

/**
 * Units per quarter: values against chance are rounded to 2^-16 points, since no board of ten cells
 * is worth 2^16 points, …
 */
export const UNITS_PER_QUARTER: u32 = 4 << 16;
/** … or to 2^-31. */
const CERTAINTY: u32 = 1 << 31;

/**
 * Values a list's positions by the positions after a placement. These are, with their values, in
 * table `near` (after a 2) and in the other (after a 4).
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
      const at = boards + ((<usize>i) << 3);
      store<u64>(toValue(at), valueOfPosition(load<u64>(at), nearAt, farAt));
    }
  }
}

/** Returns the value of a position, whose line is one slide longer than that of an afterstate. */
@inline
function valueOfPosition(board: u64, near: usize, far: usize): u64 {
  const cells = unpack(board);
  let best: u32 = 1 << 16;
  let chance: u32 = 0;
  for (let direction = 0; direction < 4; direction++) {
    const afterstate = slide(cells, direction);
    if (afterstate == 0) continue;
    const score = earned;
    const value = valueOfAfterstate(afterstate, near, far);
    best = max(best, <u32>value + (score << 16) + 1);
    chance = max(chance, (goal == 0 ? score * UNITS_PER_QUARTER : 0) + chanceOf(value));
  }
  if (goal != 0 && hasGoal(board)) chance = CERTAINTY;
  return ((<u64>chance) << 32) | best;
}

/** Returns true if the tile to reach, or a larger one, is on a board. */
function hasGoal(board: u64): bool {
  for (; board != 0; board >>= 4) if ((<u32>board & 15) >= goal) return true;
  return false;
}

/**
 * Returns the value of an afterstate from the table or, if no thread has stored it yet, from all
 * placements. Two threads may compute it at the same time, with the same result.
 */
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
  placeOn(board);
  // The bits of the slides are flipped: of equally bad placements the one with the longer line is
  // smaller.
  let worst = u32.MAX_VALUE;
  let twos: u64 = 0;
  let others: u64 = 0;
  const free = emptyAmong(CELL_ONES, board);
  for (let empty = free; empty != 0; empty &= empty - 1) {
    const cell = <i32>(ctz(empty) >> 2);
    const value = valueIn(near, placed(cell, 1));
    worst = min(worst, <u32>value ^ SLIDES);
    twos += chanceOf(value);
    if (!fours) continue;
    const other = valueIn(far, placed(cell, 2));
    worst = min(worst, <u32>other ^ SLIDES);
    others += chanceOf(other);
  }
  return ((<u64>average(twos, others, popcnt(free))) << 32) | (worst ^ SLIDES);
}

/**
 * Returns the average value of the placements on `cells` empty cells in the ordinary game, given
 * the sums over the cells of the values after a 2 and after a 4. Nine of ten placed tiles are 2s;
 * sums over ten cells fit.
 */
@inline
function average(twos: u64, others: u64, cells: u64): u32 {
  const sum = fours ? 9 * twos + others : twos;
  const tiles = fours ? 10 * cells : cells;
  return <u32>((sum + tiles / 2) / tiles);
}
