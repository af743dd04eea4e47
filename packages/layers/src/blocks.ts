import type { Shape } from "@gridlock/game";
import { estimate } from "@gridlock/solver";

/*
 * Blocks: the boards of eight layers that have the same number of each large tile (`assembly/blocks.ts`).
 * With fewer large tiles there are fewer blocks, and fewer edges between them.
 */

/** The number of a block, in hexadecimal. */
export type BlockNumber = string;

/** What stands for the starts of a game where other blocks have a number. */
export const STARTS: BlockNumber = "fffffffffffffffe";

/** Bits of a block's number that are its range of layers. */
const RANGE_MASK = 0xffffn;
/** Layers of a block. */
const BLOCK_LAYERS = 8;

/** For shapes with up to so many nodes, by estimate: the exponent of the smallest tile that counts as large. */
const FIRST_LARGE: readonly (readonly [nodes: number, exponent: number])[] = [
  [2 ** 24, 16], // no tile does
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
