/*
 * Sliding lines toward their first cell. The table holds, for every content of a stretch of up to
 * four cells, what sliding makes of it; longer lines are folded from stretches, each joined to what
 * slid before it.
 *
 * An entry, from the lowest bit:
 *     0 … 15   the stretch after the slide
 *    16 … 19   how many tiles it then has
 *    20 … 23   its last tile, if that may still merge with one that follows, else 0
 *    48 … 63   points / 4: at most half of what its tiles sum to, so below 2^15
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
  return load<u32>(EARNINGS + ((<usize>exponent) << 2));
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
    const entry = slid | (tiles << 16) | (last << 20) | (score << 48);
    store<u64>(LINES + (content << 3), entry);
  }
}

// @ts-ignore: decorator
@inline
function entryOf(stretch: u64): u64 {
  return load<u64>(LINES + ((<usize>stretch) << 3));
}

/** The bits of an entry that tell the stretch after the slide, and what that earned. */
const SLID_AND_EARNED: u64 = 0xffff00000000ffff;

// @ts-ignore: decorator
@inline
function tilesIn(entry: u64): u64 {
  return (entry >> 16) & 15;
}

// @ts-ignore: decorator
@inline
function openIn(entry: u64): u64 {
  return (entry >> 20) & 15;
}

/** The open end (see {@link openEndOf}) of the last line that was put together from stretches. */
let longOpenEnd: u32 = 0;

/**
 * Slides a line of `length` cells; {@link slidOf}, {@link earnedBy} and {@link openEndOf} tell what there is in what it
 * returns.
 */
// @ts-ignore: decorator
@inline
export function slideLine(line: u64, length: i32): u64 {
  if (length <= STRETCH) return entryOf(line);
  return length <= 2 * STRETCH ? slideTwoStretches(line) : slideLongLine(line);
}

/** All bits of a line of `length` cells. */
// @ts-ignore: decorator
@inline
export function lineMask(length: i32): u64 {
  return u64.MAX_VALUE >> (64 - 4 * length);
}

/** The line of `length` cells after a slide. */
// @ts-ignore: decorator
@inline
export function slidOf(result: u64, length: i32): u64 {
  return result & lineMask(length);
}

/** What the slide of a line earned, points / 4: at most the tile sum, which is below 2^18 points. */
// @ts-ignore: decorator
@inline
export function earnedBy(result: u64): i32 {
  return <i32>(result >> 48);
}

/** The last tile of the line of `length` cells that was slid last, if it may still merge with one that follows, else 0. */
// @ts-ignore: decorator
@inline
export function openEndOf(result: u64, length: i32): u32 {
  return length <= STRETCH ? <u32>openIn(result) : longOpenEnd;
}

/** As {@link slideLongLine}, for lines of two stretches, which the rows of most shapes are. */
// @ts-ignore: decorator
@inline
function slideTwoStretches(line: u64): u64 {
  const first = entryOf(line & STRETCH_MASK);
  let behind = line >> STRETCH_BITS;
  let joined = first & SLID_AND_EARNED;
  longOpenEnd = <u32>openIn(first);
  if (behind == 0) return joined;
  const nextAt = ctz(behind) & ~3;
  const next = (behind >> nextAt) & 15;
  if (next == openIn(first)) {
    joined += (u64(1) << (4 * (tilesIn(first) - 1))) + (earningsOf(next) << 48);
    behind &= ~(u64(15) << nextAt);
  }
  const second = entryOf(behind);
  longOpenEnd = <u32>openIn(second);
  return joined + ((second & 0xffff) << (4 * tilesIn(first))) + (second & ~u64(0xffffffffffff));
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
    tiles += tilesIn(entry);
    last = openIn(entry);
    score += entry >> 48;
  }
  longOpenEnd = <u32>last;
  return slid | (score << 48);
}
