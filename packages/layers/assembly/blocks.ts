/*
 * Blocks: the boards of RANGE layers that have the same number of each large tile. A slide rarely
 * makes a large tile, and loses one only by merging it into a larger one, so most demands stay in
 * their block.
 *
 * A block's number is that of its range of layers, plus 2^16 times the numbers of its large tiles,
 * four bits for each exponent. (A 16th tile would leave no empty cell, so the board would not be an
 * afterstate.)
 */
import { RANGE_LOG2 } from "./layout";

/** The exponent of the smallest tile that counts as large. */
let firstLarge: u64 = 16;

export function setLargeTiles(exponent: u32): void {
  firstLarge = exponent;
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

/** Returns the number of a canonical afterstate's block, given its layer. */
// @ts-ignore: decorator
@inline
export function blockOf(board: u64, layer: i32): u64 {
  let number: u64 = layer >> RANGE_LOG2;
  for (; board != 0; board >>= 4) {
    const exponent = board & 15;
    if (exponent >= firstLarge) number += u64(1) << (16 + ((exponent - firstLarge) << 2));
  }
  return number;
}
