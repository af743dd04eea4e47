/*
 * Lists the children of a node: the slides of a position, or the replies to an afterstate.
 *
 * Nearly all positions arise together, as replies to an afterstate, and a reply changes only one
 * row and one column. So each line of the afterstate is slid in each direction, and for a reply
 * only those two lines are slid again. "In direction i" means: as slide image number i (`board.ts`)
 * slides toward its first cells.
 *
 * `children.ts` describes the lists.
 */
import { CELL_PLACES } from "../../boards/assembly/layout";
import { Child, CHILD_BYTES, Reply, Slide, SlideList, SLIDES_BYTES, SLIDES_HEAD } from "./children";
import { SLID_IMAGE_BYTES, SlidImage } from "./layout";
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

/**
 * True if the slides listed are looked up in the kernel's table: in the search, not in the prover's
 * module.
 */
// given by the compiler's command line
const HAS_TABLE: bool = TABLE != 0;

/**
 * Slides of the board last passed to {@link slideAll}: for each direction a {@link SlidImage} and,
 * after it, points / 4 of each line, i32 × 16.
 */
let slidAt: usize = 0;

/** The place of a cell in a slide image. */
@unmanaged
class Place {
  /** Its line. */
  line: u8;
  /** The line's lowest bit in the image. */
  lineShift: u8;
  /** The cell's lowest bit in the line. */
  cellShift: u8;
  unused: u8;
}
const PLACE_BYTES: usize = offsetof<Place>();

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

/** Fills the table of {@link Place}s, 16 for each slide image. */
export function preparePlaces(): void {
  for (let i = 0; i < 4; i++) {
    const length = i < 2 ? COL_COUNT : ROW_COUNT;
    for (let at = 0; at < CELLS; at++) {
      const cell = load<u8>(SLIDE_IMAGES + 16 * i + at);
      const place = CELL_PLACES + PLACE_BYTES * (16 * i + cell);
      const line = at / length;
      store<u8>(place, <u8>line, offsetof<Place>("line"));
      store<u8>(place, <u8>(4 * length * line), offsetof<Place>("lineShift"));
      store<u8>(place, <u8>(4 * (at % length)), offsetof<Place>("cellShift"));
    }
  }
}

/** Slides all lines of a board in one direction. */
@inline
function slideIn(direction: usize, image: u64, lines: i32, length: i32): void {
  const all = slidAt + direction * <usize>SLID_IMAGE_BYTES;
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
    store<i32>(all + 4 * i, earned, offsetof<SlidImage>());
  }
  store<u64>(all, image, offsetof<SlidImage>("image"));
  store<u64>(all, slid, offsetof<SlidImage>("slid"));
  store<i32>(all, score, offsetof<SlidImage>("score"));
  store<i32>(all, changed, offsetof<SlidImage>("changed"));
}

/** Slides a board in all directions. */
function slideAll(board: u64): void {
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
    if (load<u64>(children + i * CHILD_BYTES, offsetof<Child>("board")) == board) return true;
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
  store<u64>(child, key, offsetof<Slide>("board"));
  store<i32>(child, score, offsetof<Slide>("score"));
  if (HAS_TABLE) {
    store<u32>(fetches + 4 * fetchCount, bucketOfMixed(key));
    fetchCount++;
  }
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
    const all = slidAt + i * <usize>SLID_IMAGE_BYTES;
    if (load<i32>(all, offsetof<SlidImage>("changed")) == 0) continue;
    const slid = load<u64>(all, offsetof<SlidImage>("slid"));
    const score = load<i32>(all, offsetof<SlidImage>("score"));
    count =
      i < 2
        ? addSlide(list, count, slid, COL_COUNT, NORMAL, score)
        : addSlide(list, count, slid, ROW_COUNT, FROM_TRANSPOSED, score);
  }
  store<i32>(list, count, offsetof<SlideList>("count"));
  store<i32>(list, failed, offsetof<SlideList>("failed"));
  store<u32>(list, shard, offsetof<SlideList>("shard"));
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
  const all = slidAt + direction * <usize>SLID_IMAGE_BYTES;
  const place = CELL_PLACES + PLACE_BYTES * (16 * direction + cell);
  const index: i32 = load<u8>(place, offsetof<Place>("line"));
  const shift: u64 = load<u8>(place, offsetof<Place>("lineShift"));
  const line =
    ((load<u64>(all, offsetof<SlidImage>("image")) >> shift) & lineMask(length)) |
    (tile << (<u64>load<u8>(place, offsetof<Place>("cellShift"))));
  const result = slideLine(line, length);
  const to = slidOf(result, length);
  if (to == line && (load<i32>(all, offsetof<SlidImage>("changed")) & ~(1 << index)) == 0)
    return count;
  const slid =
    (load<u64>(all, offsetof<SlidImage>("slid")) & ~(lineMask(length) << shift)) | (to << shift);
  const score =
    load<i32>(all, offsetof<SlidImage>("score")) -
    load<i32>(all + 4 * index, offsetof<SlidImage>()) +
    earnedBy(result);
  return addSlide(list, count, slid, length, permutations, score);
}

/** Lists the slides after a tile is placed on the board last passed to {@link slideAll}. */
@inline
function listSlidesOfReply(list: usize, cell: i32, tile: u64): void {
  failed = 0;
  let count = addSlideOfReply(list, 0, 0, cell, tile, COL_COUNT, NORMAL);
  count = addSlideOfReply(list, count, 1, cell, tile, COL_COUNT, NORMAL);
  count = addSlideOfReply(list, count, 2, cell, tile, ROW_COUNT, FROM_TRANSPOSED);
  count = addSlideOfReply(list, count, 3, cell, tile, ROW_COUNT, FROM_TRANSPOSED);
  store<i32>(list, count, offsetof<SlideList>("count"));
  store<i32>(list, failed, offsetof<SlideList>("failed"));
  store<u32>(list, shard, offsetof<SlideList>("shard"));
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
  const shardBefore = shardOf(board);
  fetchCount = 0;
  let count = 0;
  for (let tile = 2; tile >= 1; tile--) {
    if (!((tiles >> tile) & 1)) continue;
    if (tile == 1 && isSharded()) fetchListed(); // the slides after a 2 lie in another shard
    shard = shardAfter(shardBefore, tile);
    for (let empty = emptyAmong(CELL_ONES, board); empty != 0; empty &= empty - 1) {
      const cell = <i32>ctz(empty) >> 2;
      let reply = board | ((empty & -empty) << (tile - 1));
      if (repeats) {
        reply = canonicalUnder(reply, NORMAL);
        if (isAmong(replies, count, reply)) continue;
      }
      const list = lists + count * SLIDES_BYTES;
      store<u64>(replies + count * CHILD_BYTES, reply, offsetof<Reply>("board"));
      store<usize>(replies + count * CHILD_BYTES, list, offsetof<Reply>("slides"));
      listSlidesOfReply(list, cell, tile);
      count++;
    }
  }
  fetchListed();
  return count;
}
