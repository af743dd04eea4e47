/*
 * Static knowledge about an afterstate: a lower bound of its value, and whether its value is 0.
 *
 * The lower bound holds against every placer: the most the slider can earn from merges that no
 * placement can prevent. The idea is Qiu's LBHSV (Algorithm 2); as printed it can overestimate,
 * since a tile at the end of a run can merge with a tile that lands behind it. This version is
 * sound.
 *
 * Some cells hold a known tile; the content of all others is unknown (0 here). At first the empty
 * cells are unknown. Sliding toward a wall, the tiles of each line from the wall to the first
 * unknown cell move and merge as usual. All tiles behind that cell become unknown, since it is
 * unknown where they stop. So does the last tile of the run if it has not just been merged and a
 * tile of its value can slide against it: the first known tile behind the gap, or an unknown one.
 * For the latter, `values` is the set of exponents that unknown tiles can have: tiles placed, tiles
 * that have become unknown, and the results of their merges, one per slide.
 *
 * A slide counts only if known tiles merge, so it is legal in the real game; there it earns at
 * least what the known merges earn, and leaves every known tile in its place: the next placement
 * goes to an empty cell, which is unknown. By induction over the slides the sum of the merges is
 * earned against every placer.
 */
import { CELL_ONES, emptyAmong, equalAhead, firstCells } from "../../boards/assembly/cells";
import { CELLS, COL_COUNT, ROW_COUNT, SQUARE } from "../../boards/assembly/shape";
import { imagePair, SLIDE_IMAGES, unpack } from "../../boards/assembly/board";
import { earnedBy, lineMask, openEndOf, slideLine, slidOf } from "../../boards/assembly/lines";

/** Exponents of the tiles that have become unknown since this was last set to 0, one bit each. */
let released: u32 = 0;

/**
 * Slides the known tiles of one line and returns a result like that of `slideLine`. `values` is the
 * set of exponents of unknown tiles.
 */
@inline
function slideKnownLine(line: u64, length: i32, values: u32): u64 {
  const gaps = emptyAmong(CELL_ONES >> (4 * (CELLS - length)), line);
  if (gaps == 0) return slideLine(line, length);
  const end = ctz(gaps);
  let result = slideLine(line & ((u64(1) << end) - 1), length);
  let behind = line >> end;
  if (behind != 0) behind >>= ctz(behind) & ~3;
  const last = openEndOf(result, length);
  if (last != 0 && (((values >> last) & 1) != 0 || (<u32>behind & 15) == last)) {
    result &= ~(u64(15) << ((63 - clz(slidOf(result, length))) & ~3));
    released |= 1 << last;
  }
  for (; behind != 0; behind >>= 4) released |= 1 << (<u32>behind & 15);
  return result;
}

/**
 * Returns true if the placer can end the game at once, so that an afterstate is worth 0: one cell
 * is empty, no two equal tiles are adjacent, and some tile that can be placed equals none of that
 * cell's neighbours.
 *
 * @param board an afterstate, so at least one cell is empty
 * @param length cells per line of the board's layout
 * @param placed exponents of the tiles that can be placed, one bit each; 0 disables the test
 */
@inline
export function endsNext(board: u64, length: i32, placed: u32): bool {
  const empty = emptyAmong(CELL_ONES, board);
  if ((empty & (empty - 1)) != 0 || hasPairIn(board, length) || equalAhead(board, length) != 0) {
    return false;
  }
  const first = firstCells(length);
  const line = 4 * length;
  const beside = // the lowest bits of the cells adjacent to the empty one
    CELL_ONES &
    (((empty << 4) & ~first) |
      ((empty >> 4) & ~(first << (line - 4))) |
      (empty << line) |
      (empty >> line));
  return (
    ((placed & 2) != 0 && emptyAmong(beside, board ^ CELL_ONES) == 0) ||
    ((placed & 4) != 0 && emptyAmong(beside, board ^ (CELL_ONES << 1)) == 0)
  );
}

/** Returns true if two equal tiles are adjacent in a line of `length` cells. */
@inline
function hasPairIn(board: u64, length: i32): bool {
  return (equalAhead(board, 1) & ~(firstCells(length) << (4 * (length - 1)))) != 0;
}

/** Slides the known tiles toward both ends of their lines; see {@link surelyEarned}. */
@inline
function earnedIn(
  images: v128,
  lines: i32,
  length: i32,
  across: bool,
  values: u32,
  placed: u32,
  enough: i32,
): i32 {
  let best = 0;
  for (let i = 0; i < 2; i++) {
    const image = i == 0 ? i64x2.extract_lane(images, 0) : i64x2.extract_lane(images, 1);
    let slid: u64 = 0;
    let score = 0;
    released = 0;
    for (let line = 0; line < lines; line++) {
      const at = 4 * length * line;
      const result = slideKnownLine((image >> at) & lineMask(length), length, values);
      slid |= slidOf(result, length) << at;
      score += earnedBy(result);
    }
    if (score == 0) continue;
    if (score >= enough) return score;
    const unknown = (values | released) & ~1;
    const next = unknown | (unknown << 1) | placed;
    best = max(best, score + surelyEarned(slid, across, next, placed, enough - score));
    if (best >= enough) break;
  }
  return best;
}

/** Slides along the rows of the normal layout. */
function earnedInRows(images: v128, values: u32, placed: u32, enough: i32): i32 {
  return earnedIn(images, ROW_COUNT, COL_COUNT, false, values, placed, enough);
}

/** Slides along the columns of the normal layout. */
function earnedInCols(images: v128, values: u32, placed: u32, enough: i32): i32 {
  return earnedIn(images, COL_COUNT, ROW_COUNT, true, values, placed, enough);
}

/**
 * Returns points / 4 that the slider is certain to earn from an afterstate; stops at `enough`.
 *
 * @param known the known tiles, in the normal layout or, if `transposed`, in the other one
 * @param values exponents of unknown tiles, one bit each; initially those of the tiles placed
 */
export function surelyEarned(
  known: u64,
  transposed: bool,
  values: u32,
  placed: u32,
  enough: i32,
): i32 {
  return !SQUARE && transposed
    ? earnedFrom(known, true, values, placed, enough)
    : earnedFrom(known, false, values, placed, enough);
}

/** Implements {@link surelyEarned} for one layout. */
@inline
function earnedFrom(known: u64, transposed: bool, values: u32, placed: u32, enough: i32): i32 {
  let best = 0;
  const length = transposed ? ROW_COUNT : COL_COUNT;
  const cells = unpack(known);
  const images = SLIDE_IMAGES + (transposed ? 64 : 0);
  if (hasPairIn(known, length)) {
    const straight = imagePair(cells, images);
    best = transposed
      ? earnedInCols(straight, values, placed, enough)
      : earnedInRows(straight, values, placed, enough);
  }
  if (best < enough && equalAhead(known, length) != 0) {
    const turned = imagePair(cells, images + 32);
    const more = transposed
      ? earnedInRows(turned, values, placed, enough)
      : earnedInCols(turned, values, placed, enough);
    best = max(best, more);
  }
  return best;
}
