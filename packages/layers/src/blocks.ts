import type { PackedBoard, Shape } from "@gridlock/game";
import { estimate } from "@gridlock/solver";

/*
 * Blocks: the boards of sixteen layers that have the same number of each large tile
 * (`assembly/blocks.ts`). With fewer large tiles there are fewer blocks, and fewer demands
 * between them.
 */

/** The number of a block, in hexadecimal. */
export type BlockNumber = string;

/** The number that stands for the starts of a game. */
export const STARTS: BlockNumber = "fffffffffffffffe";

/** Bits of a block's number that give its range of layers. */
const RANGE_MASK = 0xffffn;
/** Position of the bits above, four for each large tile. */
const LARGE_SHIFT = 16;
/** Layers per block. */
const BLOCK_LAYERS = 16;

/**
 * The exponent of the smallest tile that counts as large, for shapes with up to this many estimated
 * nodes.
 */
const FIRST_LARGE: readonly (readonly [nodes: number, exponent: number])[] = [
  [2 ** 28, 5],
  [Number.POSITIVE_INFINITY, 4],
];

/** Returns the exponent of the smallest tile that counts as large on a shape. */
export function firstLargeTile(shape: Shape): number {
  const { nodes } = estimate(shape);
  return FIRST_LARGE.find(([most]) => nodes <= most)?.[1] as number;
}

/** Returns the first layer of a block. */
export function firstLayerOf(block: BlockNumber): number {
  return Number(BigInt(`0x${block}`) & RANGE_MASK) * BLOCK_LAYERS;
}

/** Bits of half a packed board, for which integer arithmetic suffices. */
const HALF_BITS = 32;

/**
 * Returns the number of an afterstate's block.
 *
 * @param firstLarge the exponent of the smallest tile that counts as large
 */
export function blockOf(afterstate: PackedBoard, firstLarge: number): BlockNumber {
  let layer = 0;
  let large = 0n;
  for (const half of [afterstate, afterstate >> BigInt(HALF_BITS)]) {
    for (let cells = Number(BigInt.asUintN(HALF_BITS, half)); cells !== 0; cells >>>= 4) {
      const exponent = cells & 15;
      if (exponent > 0) layer += 2 ** (exponent - 1);
      if (exponent >= firstLarge) large += 1n << BigInt(LARGE_SHIFT + 4 * (exponent - firstLarge));
    }
  }
  return (large + BigInt(Math.floor(layer / BLOCK_LAYERS))).toString(16);
}
