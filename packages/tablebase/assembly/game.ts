/*
 * Values in the game itself, against the placer and against chance. Both are in the head of a
 * board, so that all parts are written at once:
 *
 *     bits 63 … 32   value against chance, in units of 2^-16 points, or of 2^-31
 *     bit  31        of an afterstate in a survey: a best slide leads to it
 *     bits 30 … 16   value against the placer: points / 4 plus 1
 *     bits 15 …  0   number of slides of the longest line of best play by both sides, for surveys
 *
 * So of two slides the better one has the larger lower half, and of equally good ones the one after
 * which play lasts longer.
 */
import { unpack } from "../../boards/assembly/board";
import { CELL_ONES, emptyAmong } from "../../boards/assembly/cells";
import { earned, placed, placeOn, slide } from "../../boards/assembly/moves";
import { CELLS } from "../../boards/assembly/shape";
import { found, headOf, targetOf, tiles } from "./tables";
import { valued, Values } from "./values";

/**
 * Most points that n cells allow: those of tiles 4, 8, … 2^(n + 1) made of 2s. Ten cells allow
 * 36,868, eleven 81,924.
 */
const MOST_POINTS: i32 = ((CELLS - 1) << (CELLS + 2)) + 4;
if (MOST_POINTS >= 1 << 16) ERROR("values against chance do not fit 16 bits before the point");
if (MOST_POINTS / 4 + 1 >= 1 << 15) ERROR("values against the placer do not fit 15 bits");
/** Most slides of a line: the tile placed after each adds at least 2 to the tile sum. */
const MOST_SLIDES: i32 = ((1 << (CELLS + 2)) - 4) / 2;
// A survey counts lines by their slides in 2^11 places, see `src/survey.ts`.
if (MOST_SLIDES >= 1 << 11) ERROR("lines have too many slides");

/** Units per quarter of values against chance, which are rounded to 2^-16 points, … */
export const UNITS_PER_QUARTER: u32 = 4 << 16;
/** … or to 2^-31. */
const CERTAINTY: u32 = 1 << 31;

/** Bits of the slides in a head. */
const SLIDES: u32 = 0xffff;

/** Exponent of the tile to reach in the game against chance; 0 if points count. */
let goal: u32 = 0;

/** Sets the goal of the calling thread. */
export function setGoal(exponent: u32): void {
  goal = exponent;
}

/** Returns true if the placer may place 4s. */
@inline
export function hasFours(): bool {
  return (tiles & 4) != 0;
}

/** Returns the part of a head that holds in the game against chance. */
@inline
export function chanceOf(head: u64): u32 {
  return <u32>(head >> 32);
}

/** Returns the head of the position after placing a tile on the afterstate that was taken last. */
@inline
export function headAfter(table: usize, cell: i32, exponent: i32): u64 {
  return load<u64>(headOf(found(table, placed(cell, exponent))));
}

@unmanaged
export class GameValues extends Values {
  /** Values a position; its line is one slide longer than that of an afterstate. */
  valuePosition(board: u64, at: usize): void {
    const cells = unpack(board);
    let best: u32 = 1 << 16;
    let chance: u32 = 0;
    for (let direction = 0; direction < 4; direction++) {
      const afterstate = slide(cells, direction);
      if (afterstate == 0) continue;
      const score = earned;
      const head = load<u64>(headOf(valued(this, afterstate)));
      best = max(best, <u32>head + (score << 16) + 1);
      chance = max(chance, (goal == 0 ? score * UNITS_PER_QUARTER : 0) + chanceOf(head));
    }
    if (goal != 0 && hasGoal(board)) chance = CERTAINTY;
    store<u64>(headOf(at), ((<u64>chance) << 32) | best);
  }

  valueAfterstate(board: u64, at: usize): void {
    placeOn(board);
    const near = targetOf(1).table;
    const far = targetOf(2).table;
    // The bits of the slides are flipped: of equally bad placements the one with the longer line is
    // smaller.
    let worst = u32.MAX_VALUE;
    let twos: u64 = 0;
    let others: u64 = 0;
    const free = emptyAmong(CELL_ONES, board);
    for (let empty = free; empty != 0; empty &= empty - 1) {
      const cell = <i32>(ctz(empty) >> 2);
      const two = headAfter(near, cell, 1);
      worst = min(worst, <u32>two ^ SLIDES);
      twos += chanceOf(two);
      if (!hasFours()) continue;
      const four = headAfter(far, cell, 2);
      worst = min(worst, <u32>four ^ SLIDES);
      others += chanceOf(four);
    }
    const head = ((<u64>average(twos, others, popcnt(free))) << 32) | (worst ^ SLIDES);
    atomic.store<u64>(headOf(at), head);
  }
}

/** Returns true if the tile to reach, or a larger one, is on a board. */
function hasGoal(board: u64): bool {
  for (; board != 0; board >>= 4) if ((<u32>board & 15) >= goal) return true;
  return false;
}

/**
 * Returns the average value of the placements on `cells` empty cells in the ordinary game, given
 * the sums over the cells of the values after a 2 and after a 4. Nine of ten placed tiles are 2s;
 * sums over ten cells fit.
 */
@inline
function average(twos: u64, others: u64, cells: u64): u32 {
  const sum = hasFours() ? 9 * twos + others : twos;
  const all = hasFours() ? 10 * cells : cells;
  return <u32>((sum + all / 2) / all);
}
