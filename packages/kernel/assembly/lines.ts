/*
 * Sliding lines toward their first cell. The table holds, for every content of a stretch of up to
 * four cells, what sliding makes of it; longer lines are folded from stretches, each joined to what
 * slid before it.
 *
 * An entry, from the lowest bit:
 *     0 … 15   the stretch after the slide
 *    16 … 19   how many tiles it then has
 *    20 … 23   its last tile, if that may still merge with one that follows, else 0
 *    32 … 63   points / 4
 *
 * Where the goal is a tile, not points, what counts is how often that tile is made, and "points / 4" is that number.
 */
import { EARNINGS, LINES, STRETCH } from "./layout";

const STRETCH_BITS: i32 = 4 * STRETCH;
const STRETCH_MASK: u64 = (u64(1) << STRETCH_BITS) - 1;

/** What it earns to merge two tiles of an exponent, points / 4. */
// @ts-ignore: decorator
@inline
function earningsOf(exponent: u64): u64 {
  return load<u32>(EARNINGS + (<usize>exponent << 2));
}

/**
 * Fills the table of what merges earn: points or, where `goal` is not 0, whether they make the tile with that exponent.
 */
export function prepareEarnings(goal: i32): void {
  for (let exponent = 1; exponent < 16; exponent++) {
    const earned = goal == 0 ? 1 << (exponent - 1) : i32(exponent + 1 == goal);
    store<u32>(EARNINGS + 4 * exponent, earned);
  }
}

/**
 * Fills the line table, from that of earnings. That two tiles of 32768 merge, into what no cell can hold, need not be told: boards that are asked
 * about have at most one (tiles sum to 65,534 at most), and on the way to a second any threshold is reached.
 */
export function prepareLines(): void {
  const contents = 1 << STRETCH_BITS;
  for (let content = 0; content < contents; content++) {
    let slid: u64 = 0;
    let tiles: u64 = 0;
    let last: u64 = 0;
    let score: u64 = 0;
    for (let cell = 0; cell < STRETCH; cell++) {
      const tile: u64 = (content >> (4 * cell)) & 15;
      if (tile == 0) continue;
      if (tile == last && tile < 15) {
        slid += u64(1) << (4 * (tiles - 1));
        score += earningsOf(tile);
        last = 0;
      } else {
        slid |= tile << (4 * tiles);
        tiles++;
        last = tile;
      }
    }
    const entry = slid | (tiles << 16) | (last << 20) | (score << 32);
    store<u64>(LINES + (content << 3), entry);
  }
}

// @ts-ignore: decorator
@inline
function entryOf(stretch: u64): u64 {
  return load<u64>(LINES + (<usize>stretch << 3));
}

/** Left by {@link slideLine}: the line's last tile, if that may still merge with one that follows, else 0. */
export let openEnd: u32 = 0;

/**
 * Slides a line of `length` cells. Returns the line in the low 48 bits and points / 4 above them (a
 * slide earns at most the tile sum, below 2^18 points).
 */
// @ts-ignore: decorator
@inline
export function slideLine(line: u64, length: i32): u64 {
  if (length <= STRETCH) {
    const entry = entryOf(line);
    openEnd = (<u32>entry >> 20) & 15;
    return (entry & 0xffff) | ((entry >> 32) << 48);
  }
  return slideLongLine(line);
}

function slideLongLine(line: u64): u64 {
  let slid: u64 = 0;
  let tiles: u64 = 0;
  let last: u64 = 0;
  let score: u64 = 0;
  for (; line != 0; line >>= STRETCH_BITS) {
    let stretch = line & STRETCH_MASK;
    if (stretch == 0) continue;
    const firstAt = ctz(stretch) & ~3;
    const first = (stretch >> firstAt) & 15;
    if (first == last) {
      slid += u64(1) << (4 * (tiles - 1));
      score += earningsOf(first);
      last = 0;
      stretch &= ~(u64(15) << firstAt);
      if (stretch == 0) continue;
    }
    const entry = entryOf(stretch);
    slid |= (entry & 0xffff) << (4 * tiles);
    tiles += (entry >> 16) & 15;
    last = (entry >> 20) & 15;
    score += (entry >> 32) & 0xffff;
  }
  openEnd = <u32>last;
  return slid | (score << 48);
}
