import type { PackedBoard, Shape } from "@gridlock/game";
import { estimate } from "@gridlock/solver";

/*
 * Blocks: the boards of some successive layers that have the same number of each large tile
 * (`assembly/blocks.ts`). With fewer large tiles there are fewer blocks, and fewer demands between
 * them.
 */

/** The number of a block, in hexadecimal. */
export type BlockNumber = string;

/** The number that stands for the starts of a game. */
export const STARTS: BlockNumber = "fffffffffffffffe";

/** Bits of a block's number that give its range of layers. */
const RANGE_MASK = 0xffffn;
/** Position of the bits above, four for each large tile. */
const LARGE_SHIFT = 16;

/** The exponent of the smallest tile that counts as large. */
const FIRST_LARGE = 5;

/**
 * Layers of a block on shapes with up to this many estimated nodes; powers of two. The blocks of
 * larger shapes have fewer layers, so that they fit into memory.
 */
const BLOCK_LAYERS: readonly (readonly [nodes: number, layers: number])[] = [
  [2 ** 28, 8],
  [Number.POSITIVE_INFINITY, 2],
];

/** Returns the number of layers of each block of a shape. */
export function blockLayersOf(shape: Shape): number {
  const { nodes } = estimate(shape);
  return BLOCK_LAYERS.find(([most]) => nodes <= most)?.[1] as number;
}

/** Returns the first layer of a block, given the layers of each block. */
export function firstLayerOf(block: BlockNumber, blockLayers: number): number {
  return Number(BigInt(`0x${block}`) & RANGE_MASK) * blockLayers;
}

/** Bits of half a packed board, for which integer arithmetic suffices. */
const HALF_BITS = 32;

/** Returns the number of an afterstate's block, given the layers of each block. */
export function blockOf(afterstate: PackedBoard, blockLayers: number): BlockNumber {
  let layer = 0;
  let large = 0n;
  for (const half of [afterstate, afterstate >> BigInt(HALF_BITS)]) {
    for (let cells = Number(BigInt.asUintN(HALF_BITS, half)); cells !== 0; cells >>>= 4) {
      const exponent = cells & 15;
      if (exponent > 0) layer += 2 ** (exponent - 1);
      if (exponent >= FIRST_LARGE)
        large += 1n << BigInt(LARGE_SHIFT + 4 * (exponent - FIRST_LARGE));
    }
  }
  return (large + BigInt(Math.floor(layer / blockLayers))).toString(16);
}
