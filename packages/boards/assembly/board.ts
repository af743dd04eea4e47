/*
 * Boards as sixteen bytes, one per cell, so that one swizzle applies a symmetry; and images of a
 * board under all symmetries at once, two packed boards per vector.
 */
import { BOARD_BITS, COL_COUNT, ROW_COUNT, SQUARE } from "./shape";
import { PERMUTATIONS } from "./layout";

/*
 * Permutations, in memory in this order:
 *    0 …  7   the symmetries of the normal layout (rows × columns); a rectangle uses the first four
 *    8 … 11   the same four, from the transposed layout (columns × rows) to the normal one
 *   12 … 15   slide images of a normal board: itself, mirrored, transposed, transposed and mirrored
 *   16 … 19   slide images of a transposed board, in the same order
 * Sliding the lines of slide image 0, 1, 2 or 3 toward their first cells slides the board
 * left, right, up or down.
 */
export const NORMAL: usize = PERMUTATIONS;
export const FROM_TRANSPOSED: usize = SQUARE ? NORMAL : PERMUTATIONS + 8 * 16;
export const SLIDE_IMAGES: usize = PERMUTATIONS + 12 * 16;

/**
 * Bits of a double's exponent. With them, boards of up to 52 bits compare as doubles in the same
 * order as integers, which is fastest.
 */
const DOUBLE: u64 = 0x3ff0000000000000;
const AS_DOUBLES: bool = BOARD_BITS <= 52;
/**
 * Sign bit. With it flipped, wider boards compare as signed integers in the order of unsigned ones.
 */
const SIGN: u64 = 0x8000000000000000;

const ROW_BITS: i32 = 4 * COL_COUNT;
const LOWEST_ROW: u64 = u64.MAX_VALUE >> (64 - ROW_BITS);

/** Writes the permutation of a rows × cols layout under a transposition and flips. */
function writePermutation(
  at: usize,
  rows: i32,
  cols: i32,
  transpose: bool,
  flipRows: bool,
  flipCols: bool,
): void {
  const outRows = transpose ? cols : rows;
  const outCols = transpose ? rows : cols;
  for (let cell = 0; cell < 16; cell++) store<u8>(at + cell, 0xff); // swizzles to 0
  for (let r = 0; r < outRows; r++) {
    for (let c = 0; c < outCols; c++) {
      const row = flipRows ? outRows - 1 - r : r;
      const col = flipCols ? outCols - 1 - c : c;
      store<u8>(at + r * outCols + c, <u8>(transpose ? col * cols + row : row * cols + col));
    }
  }
}

/** Fills the table of permutations. */
export function prepareBoards(): void {
  const rows = ROW_COUNT;
  const cols = COL_COUNT;
  for (let i = 0; i < 8; i++) {
    const transpose = SQUARE && i >= 4;
    writePermutation(NORMAL + i * 16, rows, cols, transpose, (i & 2) != 0, (i & 1) != 0);
  }
  for (let i = 0; i < 4; i++) {
    const flipRows = (i & 2) != 0;
    const flipCols = (i & 1) != 0;
    writePermutation(PERMUTATIONS + (8 + i) * 16, cols, rows, true, flipRows, flipCols);
    writePermutation(SLIDE_IMAGES + i * 16, rows, cols, i >= 2, false, flipCols);
    writePermutation(SLIDE_IMAGES + (4 + i) * 16, cols, rows, i >= 2, false, flipCols);
  }
}

/** Returns a packed board as sixteen bytes, one per cell. */
@inline
export function unpack(board: u64): v128 {
  const packed = i64x2.splat(board);
  const low = v128.and(packed, i8x16.splat(0x0f));
  const high = v128.and(v128.shr<u16>(packed, 4), i8x16.splat(0x0f));
  return v128.shuffle<u8>(low, high, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

/** Returns the packed images of a board under two permutations that are adjacent in memory. */
@inline
export function imagePair(cells: v128, permutations: usize): v128 {
  const a = v128.swizzle(cells, v128.load(permutations));
  const b = v128.swizzle(cells, v128.load(permutations, 16));
  const byte = i16x8.splat(0xff);
  return v128.narrow<u16>(
    v128.and(v128.or(a, v128.shr<u16>(a, 4)), byte),
    v128.and(v128.or(b, v128.shr<u16>(b, 4)), byte),
  );
}

/** Converts images for comparison by {@link smallerPair}. */
@inline
export function comparable(images: v128): v128 {
  return AS_DOUBLES ? v128.or(images, i64x2.splat(DOUBLE)) : v128.xor(images, i64x2.splat(SIGN));
}

/** Returns the smaller board of each lane of two vectors made by {@link comparable}. */
@inline
export function smallerPair(a: v128, b: v128): v128 {
  return AS_DOUBLES ? f64x2.pmin(a, b) : v128.bitselect(b, a, i64x2.gt_s(a, b));
}

/** Returns the smaller of the two boards in a vector made by {@link comparable}, packed. */
@inline
export function smallest(pair: v128): u64 {
  const a = i64x2.extract_lane(pair, 0);
  const b = i64x2.extract_lane(pair, 1);
  const least = a < b ? a : b;
  return AS_DOUBLES ? least & ~DOUBLE : least ^ SIGN;
}

/**
 * Returns a board in the normal layout and its mirror image: the result of {@link imagePair} with
 * NORMAL.
 */
@inline
function besideMirrored(board: u64, cells: v128): v128 {
  const mirrored = v128.swizzle(cells, v128.load(NORMAL, 16));
  const bytes = v128.and(v128.or(mirrored, v128.shr<u16>(mirrored, 4)), i16x8.splat(0xff));
  return i64x2.replace_lane(v128.narrow<u16>(bytes, bytes), 0, board);
}

/**
 * Turns packed boards in the normal layout upside down. Rows move as a whole, so this needs no
 * permutation.
 */
@inline
function upsideDown(boards: v128): v128 {
  if (ROW_COUNT == 1) return boards;
  const top = i64x2.splat(LOWEST_ROW);
  const away = ROW_BITS * (ROW_COUNT - 1);
  let turned = v128.or(v128.shl<u64>(v128.and(boards, top), away), v128.shr<u64>(boards, away));
  if (ROW_COUNT == 3)
    turned = v128.or(turned, v128.and(boards, i64x2.splat(LOWEST_ROW << ROW_BITS)));
  if (ROW_COUNT == 4) {
    const second = i64x2.splat(LOWEST_ROW << ROW_BITS);
    turned = v128.or(turned, v128.shl<u64>(v128.and(boards, second), ROW_BITS));
    turned = v128.or(turned, v128.and(v128.shr<u64>(boards, ROW_BITS), second));
  }
  return turned;
}

/**
 * Returns the smaller of each board and its upside-down image, lane by lane; see
 * {@link comparable}.
 */
@inline
function smallerWay(boards: v128): v128 {
  return smallerPair(comparable(boards), comparable(upsideDown(boards)));
}

/**
 * Returns the canonical form of a board: the smallest of its images under `permutations` (see
 * above).
 */
@inline
export function canonicalUnder(board: u64, permutations: usize): u64 {
  const cells = unpack(board);
  let least = smallerWay(
    permutations == NORMAL ? besideMirrored(board, cells) : imagePair(cells, permutations),
  );
  if (SQUARE) least = smallerPair(least, smallerWay(imagePair(cells, permutations + 64)));
  return smallest(least);
}

/** Returns true if a board is its own image under a symmetry other than the identity. */
export function isSymmetric(board: u64): bool {
  const cells = unpack(board);
  const same = i64x2.splat(board);
  if (i64x2.extract_lane(imagePair(cells, NORMAL), 1) == board) return true;
  let equal = i64x2.eq(imagePair(cells, NORMAL + 32), same);
  if (SQUARE) {
    equal = v128.or(equal, i64x2.eq(imagePair(cells, NORMAL + 64), same));
    equal = v128.or(equal, i64x2.eq(imagePair(cells, NORMAL + 96), same));
  }
  return v128.any_true(equal);
}
