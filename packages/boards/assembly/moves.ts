/*
 * Slides and placements that return canonical boards. A module that uses them exports `prepare`,
 * and begins its own memory at MOVES_END.
 */
import {
  canonicalUnder,
  comparable,
  FROM_TRANSPOSED,
  imagePair,
  NORMAL,
  prepareBoards,
  SLIDE_IMAGES,
  smallerPair,
  smallest,
  unpack,
} from "./board";
import { earnedBy, prepareEarnings, prepareLines, slideLine, slidOf } from "./lines";
import { CELLS, COL_COUNT, ROW_COUNT, SQUARE } from "./shape";
import { BOARDS_END } from "./layout";

/**
 * 64 bytes per cell: the images of a board with only a 2 in that cell, in the order of the
 * symmetries.
 */
const PLACED: usize = (BOARDS_END + 63) & ~63;
/** First byte behind the table of placed tiles; a multiple of 64. */
export const MOVES_END: usize = PLACED + 64 * 16;

/** Fills the read-only tables. Called once for a memory, before any thread attaches. */
export function prepare(): void {
  prepareBoards();
  prepareEarnings(0);
  prepareLines();
  for (let cell = 0; cell < CELLS; cell++) {
    const tile = unpack(u64(1) << (4 * cell));
    for (let pair = 0; pair < 4; pair++) {
      v128.store(PLACED + 64 * cell + 16 * pair, imagePair(tile, NORMAL + 32 * pair));
    }
  }
}

/** Output of {@link slide}: points / 4 that it earns. */
export let earned: u32 = 0;
/**
 * Outputs of {@link slide}: the image of the position that slides toward its first cells, and the
 * same image after the slide.
 */
export let slidFrom: u64 = 0;
export let slidTo: u64 = 0;

/**
 * Returns the canonical board after one of the four slides, 0 if the slide changes nothing.
 *
 * @param cells the position, unpacked
 */
@inline
export function slide(cells: v128, direction: i32): u64 {
  const pair = imagePair(cells, SLIDE_IMAGES + 32 * (direction >> 1));
  const image = (direction & 1) == 0 ? i64x2.extract_lane(pair, 0) : i64x2.extract_lane(pair, 1);
  return direction < 2
    ? slideImage(image, ROW_COUNT, COL_COUNT, NORMAL)
    : slideImage(image, COL_COUNT, ROW_COUNT, FROM_TRANSPOSED);
}

@inline
function slideImage(image: u64, lines: i32, length: i32, permutations: usize): u64 {
  const bits = 4 * length;
  const mask = (u64(1) << bits) - 1;
  let slid: u64 = 0;
  let score = 0;
  for (let i = 0; i < lines; i++) {
    const result = slideLine((image >> (i * bits)) & mask, length);
    slid |= slidOf(result, length) << (i * bits);
    score += earnedBy(result);
  }
  if (slid == image) return 0;
  earned = <u32>score;
  slidFrom = image;
  slidTo = slid;
  return canonicalUnder(slid, permutations);
}

/** Pairs of images of the afterstate that {@link placed} places on; a rectangle has two of them. */
let first: v128 = i64x2.splat(0);
let second: v128 = i64x2.splat(0);
let third: v128 = i64x2.splat(0);
let fourth: v128 = i64x2.splat(0);

/** Takes an afterstate, on which {@link placed} places until the next one is taken. */
@inline
export function placeOn(afterstate: u64): void {
  const cells = unpack(afterstate);
  first = comparable(imagePair(cells, NORMAL));
  second = comparable(imagePair(cells, NORMAL + 32));
  if (!SQUARE) return;
  third = comparable(imagePair(cells, NORMAL + 64));
  fourth = comparable(imagePair(cells, NORMAL + 96));
}

/**
 * Returns the canonical position after a tile is placed in an empty cell: each image of the
 * position is that of the afterstate OR that of the tile.
 *
 * @param exponent 1 for a 2, 2 for a 4, …
 */
@inline
export function placed(cell: i32, exponent: i32): u64 {
  const at = PLACED + 64 * cell;
  let least = smallerPair(withTile(first, at, exponent), withTile(second, at + 16, exponent));
  if (SQUARE) {
    least = smallerPair(least, withTile(third, at + 32, exponent));
    least = smallerPair(least, withTile(fourth, at + 48, exponent));
  }
  return smallest(least);
}

@inline
function withTile(images: v128, tile: usize, exponent: i32): v128 {
  const two = v128.load(tile);
  // A shift is faster, and 1 and 2 are powers of two.
  const placed =
    exponent <= 2 ? v128.shl<u64>(two, exponent - 1) : i64x2.mul(two, i64x2.splat(<i64>exponent));
  return v128.or(images, placed);
}
