/*
 * Slides lines toward their first cell. The table holds the result for every content of a stretch
 * of up to four cells; longer lines are assembled from stretches, each joined to the result of the
 * stretches before it.
 *
 * An entry, from the lowest bit:
 *     0 … 15   the stretch after the slide
 *    16 … 19   its number of tiles after the slide
 *    20 … 23   its last tile if it can still merge with a tile that follows, else 0
 *    48 … 63   points / 4: at most half the sum of its tiles, so below 2^15
 *
 * If the goal is a tile instead of points, "points / 4" is the number of times that the tile is
 * made.
 */
import { EARNINGS, LINES, STRETCH } from "./layout";

const STRETCH_BITS: i32 = 4 * STRETCH;
const STRETCH_MASK: u64 = (u64(1) << STRETCH_BITS) - 1;

/** Returns the points / 4 earned by merging two tiles of an exponent. */
@inline
function earningsOf(exponent: u64): u64 {
  return load<u32>(EARNINGS + ((<usize>exponent) << 2));
}

/**
 * Fills the table of earnings of merges: points or, if `goal` is not 0, whether they make the tile
 * with that exponent.
 */
export function prepareEarnings(goal: i32): void {
  for (let exponent = 1; exponent < 16; exponent++) {
    const earned = goal == 0 ? 1 << (exponent - 1) : i32(exponent + 1 == goal);
    store<u32>(EARNINGS + 4 * exponent, earned);
  }
}

/**
 * Fills the line table from the table of earnings. Merges of two 32768 tiles, whose result no cell
 * can hold, need no entry: a board that is searched has at most one (its tiles sum to at most
 * 65,534), and every threshold is reached before a second is made.
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

@inline
function entryOf(stretch: u64): u64 {
  return load<u64>(LINES + ((<usize>stretch) << 3));
}

/** Bits of an entry for the stretch after the slide and the points it earned. */
const SLID_AND_EARNED: u64 = 0xffff00000000ffff;

@inline
function tilesIn(entry: u64): u64 {
  return (entry >> 16) & 15;
}

@inline
function openIn(entry: u64): u64 {
  return (entry >> 20) & 15;
}

/** Open end (see {@link openEndOf}) of the last line assembled from stretches. */
let longOpenEnd: u32 = 0;

/**
 * Slides a line of `length` cells; {@link slidOf}, {@link earnedBy} and {@link openEndOf} read the
 * result.
 */
@inline
export function slideLine(line: u64, length: i32): u64 {
  if (length <= STRETCH) return entryOf(line);
  return length <= 2 * STRETCH ? slideTwoStretches(line) : slideLongLine(line);
}

/** Returns all bits of a line of `length` cells. */
@inline
export function lineMask(length: i32): u64 {
  return u64.MAX_VALUE >> (64 - 4 * length);
}

/** Returns the line of `length` cells after a slide. */
@inline
export function slidOf(result: u64, length: i32): u64 {
  return result & lineMask(length);
}

/**
 * Returns the points / 4 that the slide of a line earned: at most the tile sum, which is below 2^18
 * points.
 */
@inline
export function earnedBy(result: u64): i32 {
  return <i32>(result >> 48);
}

/**
 * Returns the last tile of the line of `length` cells that was slid last if it can still merge with
 * a tile that follows, else 0.
 */
@inline
export function openEndOf(result: u64, length: i32): u32 {
  return length <= STRETCH ? <u32>openIn(result) : longOpenEnd;
}

/**
 * Slides a line of two stretches as {@link slideLongLine} does; the rows of most shapes are such
 * lines.
 */
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
