/*
 * Blocks: the boards of a range of layers that have the same number of each large tile. A slide rarely
 * makes a large tile, and loses one only by merging it into a larger one, so most demands stay in
 * their block. Where such blocks would be too large, a hash of the board splits each of them.
 *
 * A block's number is that of its range of layers, plus 2^11 times the bits of the hash, plus 2^16
 * times the numbers of its large tiles, four bits for each exponent. (A 16th tile would leave no empty
 * cell, so the board would not be an afterstate.)
 */
/** The exponent of the smallest tile that counts as large. */
const FIRST_LARGE: u64 = 5;

/** Bits of a block's number below those of the hash, and of both. */
const RANGE_BITS: u64 = 11;
const LARGE_SHIFT: u64 = 16;
/** 2^64 divided by the golden ratio: its multiples are spread evenly. */
const GOLDEN: u64 = 0x9e3779b97f4a7c15;

/** Layers of a block, as a binary logarithm; at most that of RANGE. */
let rangeLog2: i32 = 0;
/** The number of blocks into which the hash splits one, less 1. */
let splitMask: u64 = 0;

/** Sets the number of a block's layers, a power of two. */
export function setBlockLayers(layers: u32): void {
  rangeLog2 = ctz(layers);
}

/** Sets the number of blocks into which the hash splits one, a power of two. */
export function setSplit(split: u32): void {
  splitMask = split - 1;
}

/** Returns the number of a layer in its block. */
@inline
export function layerInBlock(layer: i32): i32 {
  return layer & ((1 << rangeLog2) - 1);
}

/** Returns the first layer of a block, given its number. */
@inline
export function firstLayerOf(number: u64): i32 {
  return (<i32>(number & ((1 << RANGE_BITS) - 1))) << rangeLog2;
}

/** Returns the number of the layer of an afterstate: half its tile sum. */
export function layerOf(board: u64): i32 {
  let sum: i32 = 0;
  for (; board != 0; board >>= 4) {
    const exponent = <i32>(board & 15);
    if (exponent > 0) sum += 1 << (exponent - 1);
  }
  return sum;
}

/** The lowest bit, the lower three bits, and the highest bit of each cell. */
const LOWEST: u64 = 0x1111111111111111;
const LOWER: u64 = 0x7777777777777777;
const HIGHEST: u64 = 0x8888888888888888;

/** Returns the number of cells with an exponent. */
@inline
function countOf(board: u64, exponent: u64): i32 {
  const differences = board ^ (exponent * LOWEST);
  const all = differences | (differences >> 1) | (differences >> 2) | (differences >> 3);
  return <i32>popcnt(~all & LOWEST);
}

/** Returns the number of an afterstate's layer in its block. */
@inline
export function ownLayerOf(board: u64): i32 {
  // Blocks have at most RANGE, 8 layers, and tiles of 16 or more do not change the layer modulo 8.
  return layerInBlock(countOf(board, 1) + 2 * countOf(board, 2) + 4 * countOf(board, 3));
}

/** Returns true if there is a number for the blocks of a layer. */
@inline
export function hasBlocks(layer: i32): bool {
  return layer >> (rangeLog2 + <i32>RANGE_BITS) == 0;
}

/** Returns the number of a canonical afterstate's block, given its layer, which has blocks. */
@inline
export function blockOf(board: u64, layer: i32): u64 {
  let number: u64 = layer >> rangeLog2;
  number += (((board * GOLDEN) >> (64 - LARGE_SHIFT + RANGE_BITS)) & splitMask) << RANGE_BITS;
  let large = (((board & LOWER) + (8 - FIRST_LARGE) * LOWEST) | board) & HIGHEST;
  for (; large != 0; large &= large - 1) {
    const exponent = (board >> (ctz(large) - 3)) & 15;
    number += u64(1) << (LARGE_SHIFT + ((exponent - FIRST_LARGE) << 2));
  }
  return number;
}
