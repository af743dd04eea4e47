/*
 * Lists the children of a node: the slides of a position, or the replies to an afterstate.
 *
 * Nearly all positions arise together, as replies to an afterstate, and a reply changes only one
 * row and one column. So each line of the afterstate is slid in each direction, and for a reply
 * only those two lines are slid again. "In direction i" means: as slide image number i (`board.ts`)
 * slides toward its first cells.
 *
 * A child is 16 bytes in a list:
 *     0   u64   the board; for a slide the canonical board or, until slides are ranked, its mixed key (`keys.ts`)
 *     8   i32   rank, the lowest is searched first
 *    12   i32   for a slide: points / 4 that it earns; for a reply: address of the list of its slides
 *
 * A list of slides has a head of 16 bytes:
 *     0   i32   number of slides that follow
 *     4   i32   the largest bound, points / 4, of the slides left out because they are known to fail
 *     8   u32   the shard of the table for them
 *
 * The module of the proofs by layers, which has no table, uses this file too. There a slide is
 * listed with its canonical board, not mixed, and with its direction instead of a rank; a reply has
 * its place, the cell plus 16 if the tile is a 4, instead of a rank.
 */
import { CELL_PLACES } from "../../boards/assembly/layout";
import { CHILD_BYTES, SLIDES_BYTES } from "./layout";
import {
  canonicalUnder,
  FROM_TRANSPOSED,
  imagePair,
  isSymmetric,
  NORMAL,
  SLIDE_IMAGES,
  unpack,
} from "../../boards/assembly/board";
import { endsNext } from "./bound";
import { afterstateKey, mix } from "./keys";
import { CELL_ONES, emptyAmong } from "../../boards/assembly/cells";
import { earnedBy, lineMask, slideLine, slidOf } from "../../boards/assembly/lines";
import { CELLS, COL_COUNT, ROW_COUNT } from "../../boards/assembly/shape";
import { bucketOfMixed, fetchBuckets, isSharded, shardAfter, shardOf } from "./table";

/** True if the slides listed are looked up in the kernel's table. */
// given by the compiler's command line
const HAS_TABLE: bool = TABLE != 0;

/** Offset of the first slide in a list of slides. */
export const SLIDES_HEAD: i32 = 16;

/**
 * Slides of the board last passed to {@link slideAll}, for each direction:
 *     0   u64       the slide image
 *     8   u64       the image, slid
 *    16   i32       points / 4
 *    20   i32       lines that the slide changes, one bit each
 *    32   i32 × 16  points / 4 of each line
 */
let slidAt: usize = 0;
const DIRECTION_BYTES: usize = 32 + 16 * 4;

/** Shard for the slides being listed. */
let shard: u32 = 0;
/** Address and length of the list of bucket numbers to fetch. */
let fetches: usize = 0;
let fetchCount: i32 = 0;

/**
 * Exponents of the tiles that can end the game, one bit each; 0: slides after which it ends are
 * listed like others.
 */
let endings: u32 = 0;
/** Most points / 4 of a slide left out of the current list because the game then ends. */
let failed: i32 = 0;

/** Sets this thread's areas for the results of {@link slideAll} and for bucket numbers. */
export function attachMoves(at: usize, fetchesAt: usize, tiles: u32): void {
  slidAt = at;
  fetches = fetchesAt;
  endings = tiles;
}

/**
 * Fills the table of the place of cell c in slide image i, at 4·(16·i + c):
 *     0   u8   its line
 *     1   u8   the line's lowest bit
 *     2   u8   the cell's lowest bit in the line
 */
export function preparePlaces(): void {
  for (let i = 0; i < 4; i++) {
    const length = i < 2 ? COL_COUNT : ROW_COUNT;
    for (let at = 0; at < CELLS; at++) {
      const cell = load<u8>(SLIDE_IMAGES + 16 * i + at);
      const place = CELL_PLACES + 4 * (16 * i + cell);
      const line = at / length;
      store<u8>(place, <u8>line);
      store<u8>(place, <u8>(4 * length * line), 1);
      store<u8>(place, <u8>(4 * (at % length)), 2);
    }
  }
}

/** Slides all lines of a board in one direction. */
@inline
function slideIn(direction: usize, image: u64, lines: i32, length: i32): void {
  const at = slidAt + direction * DIRECTION_BYTES;
  let slid: u64 = 0;
  let score = 0;
  let changed = 0;
  for (let i = 0; i < lines; i++) {
    const line = (image >> (4 * length * i)) & lineMask(length);
    const result = slideLine(line, length);
    const to = slidOf(result, length);
    const earned = earnedBy(result);
    slid |= to << (4 * length * i);
    score += earned;
    changed |= i32(to != line) << i;
    store<i32>(at + 4 * i, earned, 32);
  }
  store<u64>(at, image);
  store<u64>(at, slid, 8);
  store<i32>(at, score, 16);
  store<i32>(at, changed, 20);
}

/** Slides a board in all directions. */
export function slideAll(board: u64): void {
  const cells = unpack(board);
  const straight = imagePair(cells, SLIDE_IMAGES);
  const turned = imagePair(cells, SLIDE_IMAGES + 32);
  slideIn(0, i64x2.extract_lane(straight, 0), ROW_COUNT, COL_COUNT);
  slideIn(1, i64x2.extract_lane(straight, 1), ROW_COUNT, COL_COUNT);
  slideIn(2, i64x2.extract_lane(turned, 0), COL_COUNT, ROW_COUNT);
  slideIn(3, i64x2.extract_lane(turned, 1), COL_COUNT, ROW_COUNT);
}

/** Returns true if a board is one of the first `count` children of a list. */
@inline
function isAmong(children: usize, count: i32, board: u64): bool {
  for (let i = 0; i < count; i++) {
    if (load<u64>(children + i * CHILD_BYTES) == board) return true;
  }
  return false;
}

/**
 * Adds a slide, given as a slid image of lines of `length` cells, to a list, unless the list has it
 * or the game then ends; returns the new number of slides.
 */
@inline
function addSlide(
  list: usize,
  count: i32,
  direction: usize,
  slid: u64,
  length: i32,
  permutations: usize,
  score: i32,
): i32 {
  if (endsNext(slid, length, endings)) {
    failed = max(failed, score);
    return count;
  }
  const after = canonicalUnder(slid, permutations);
  const key = HAS_TABLE ? mix(afterstateKey(after)) : after;
  const slides = list + SLIDES_HEAD;
  if (isAmong(slides, count, key)) return count;
  const child = slides + count * CHILD_BYTES;
  store<u64>(child, key);
  store<i32>(child, score, 12);
  if (HAS_TABLE) {
    store<u32>(fetches + 4 * fetchCount, bucketOfMixed(key));
    fetchCount++;
  } else store<usize>(child, direction, 8);
  return count + 1;
}

/** Prefetches the buckets of the slides listed since the last call. */
@inline
function fetchListed(): void {
  fetchBuckets(shard, fetches, fetchCount);
  fetchCount = 0;
}

/** Lists the slides of a position. */
export function listSlides(board: u64, list: usize): void {
  slideAll(board);
  if (HAS_TABLE) shard = shardOf(board);
  fetchCount = 0;
  failed = 0; // an end state earns nothing
  let count = 0;
  for (let i: usize = 0; i < 4; i++) {
    const at = slidAt + i * DIRECTION_BYTES;
    if (load<i32>(at, 20) == 0) continue;
    const slid = load<u64>(at, 8);
    const score = load<i32>(at, 16);
    count =
      i < 2
        ? addSlide(list, count, i, slid, COL_COUNT, NORMAL, score)
        : addSlide(list, count, i, slid, ROW_COUNT, FROM_TRANSPOSED, score);
  }
  store<i32>(list, count);
  store<i32>(list, failed, 4);
  store<u32>(list, shard, 8);
}

/** Adds a slide of a reply in one direction; see {@link listSlidesOfReply}. */
@inline
function addSlideOfReply(
  list: usize,
  count: i32,
  direction: usize,
  cell: i32,
  tile: u64,
  length: i32,
  permutations: usize,
): i32 {
  const at = slidAt + direction * DIRECTION_BYTES;
  const place = CELL_PLACES + 4 * (16 * direction + cell);
  const index: i32 = load<u8>(place);
  const shift: u64 = load<u8>(place, 1);
  const line = ((load<u64>(at) >> shift) & lineMask(length)) | (tile << (<u64>load<u8>(place, 2)));
  const result = slideLine(line, length);
  const to = slidOf(result, length);
  if (to == line && (load<i32>(at, 20) & ~(1 << index)) == 0) return count;
  const slid = (load<u64>(at, 8) & ~(lineMask(length) << shift)) | (to << shift);
  const score = load<i32>(at, 16) - load<i32>(at + 4 * index, 32) + earnedBy(result);
  return addSlide(list, count, direction, slid, length, permutations, score);
}

/** Lists the slides after a tile is placed on the board last passed to {@link slideAll}. */
@inline
export function listSlidesOfReply(list: usize, cell: i32, tile: u64): void {
  failed = 0;
  let count = addSlideOfReply(list, 0, 0, cell, tile, COL_COUNT, NORMAL);
  count = addSlideOfReply(list, count, 1, cell, tile, COL_COUNT, NORMAL);
  count = addSlideOfReply(list, count, 2, cell, tile, ROW_COUNT, FROM_TRANSPOSED);
  count = addSlideOfReply(list, count, 3, cell, tile, ROW_COUNT, FROM_TRANSPOSED);
  store<i32>(list, count);
  store<i32>(list, failed, 4);
  store<u32>(list, shard, 8);
}

/** Returns an image of a board, in lines of `length` cells, with each line slid. */
@inline
function slideImage(image: u64, lines: i32, length: i32): u64 {
  let slid: u64 = 0;
  for (let i = 0; i < lines; i++) {
    const shift = 4 * length * i;
    slid |= slidOf(slideLine((image >> shift) & lineMask(length), length), length) << shift;
  }
  return slid;
}

/** Returns the canonical board to which a slide in one direction leads. */
export function slide(board: u64, direction: u32): u64 {
  const images = imagePair(unpack(board), SLIDE_IMAGES + (direction < 2 ? 0 : 32));
  const image =
    (direction & 1) == 0 ? i64x2.extract_lane(images, 0) : i64x2.extract_lane(images, 1);
  return direction < 2
    ? canonicalUnder(slideImage(image, ROW_COUNT, COL_COUNT), NORMAL)
    : canonicalUnder(slideImage(image, COL_COUNT, ROW_COUNT), FROM_TRANSPOSED);
}

/**
 * Lists the replies to an afterstate, and the slides of each: a 4 in each empty cell, then a 2
 * (`tiles` has a bit for each exponent that can be placed), in the order of the cells. If the
 * afterstate is symmetric, it lists only one of the replies that are images of each other. (On
 * squares other afterstates can have such replies, very rarely; it lists all of those.) Returns the
 * number of replies.
 */
export function listReplies(board: u64, tiles: u32, replies: usize, lists: usize): i32 {
  slideAll(board);
  const repeats = isSymmetric(board);
  const shardBefore = HAS_TABLE ? shardOf(board) : 0;
  fetchCount = 0;
  let count = 0;
  for (let tile = 2; tile >= 1; tile--) {
    if (!((tiles >> tile) & 1)) continue;
    if (HAS_TABLE && tile == 1 && isSharded()) fetchListed(); // the slides after a 2 lie in another shard
    if (HAS_TABLE) shard = shardAfter(shardBefore, tile);
    for (let empty = emptyAmong(CELL_ONES, board); empty != 0; empty &= empty - 1) {
      const cell = <i32>ctz(empty) >> 2;
      let reply = board | ((empty & -empty) << (tile - 1));
      if (repeats) {
        reply = canonicalUnder(reply, NORMAL);
        if (isAmong(replies, count, reply)) continue;
      }
      const list = lists + count * SLIDES_BYTES;
      store<u64>(replies + count * CHILD_BYTES, reply);
      store<usize>(replies + count * CHILD_BYTES, list, 12);
      if (!HAS_TABLE) store<i32>(replies + count * CHILD_BYTES, cell | ((tile - 1) << 4), 8);
      listSlidesOfReply(list, cell, tile);
      count++;
    }
  }
  if (HAS_TABLE) fetchListed();
  return count;
}
