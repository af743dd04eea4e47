import type { Shape } from "@gridlock/game";
import { estimate } from "@gridlock/solver";
import type { LayersBlock } from "@gridlock/store";

/*
 * Blocks: the boards of some successive layers that have the same number of each large tile
 * (`assembly/blocks.ts`). With fewer large tiles there are fewer blocks, and fewer demands between
 * them. On large shapes, a hash of the board splits each block into several.
 */

/** The number of a block, in hexadecimal. */
export type BlockNumber = string;

/** The number that stands for the starts of a game. */
export const STARTS: BlockNumber = "fffffffffffffffe";

/** Bits of a block's number that give its range of layers; those of the hash are above. */
const RANGE_BITS = 11;
const RANGE_MASK = (1n << BigInt(RANGE_BITS)) - 1n;
/** Position of the bits above the hash, four for each large tile. */
const LARGE_SHIFT = 16;
/** The most blocks into which the hash can split one; a memory has room for 32,768 blocks in all. */
export const MOST_SPLIT = 2 ** (LARGE_SHIFT - RANGE_BITS);

/** Layers of a block, a power of two; on large shapes fewer, so that blocks fit into memory. */
const BLOCK_LAYERS = 8;
const BLOCK_LAYERS_OF_LARGE = 2;
/** The most estimated nodes of a shape that is not large. */
const MOST_NODES = 2 ** 28;

/**
 * Estimated nodes of a shape for each of the blocks into which the hash splits one. On 2×7, with
 * 1.09 G boards at the end, the largest block has 53 M boards unsplit, some 0.4 GB.
 */
const NODES_PER_SPLIT = 2 ** 32;

/** Returns into how many blocks the hash should split one: a power of two. */
export function splitOf(shape: Shape): number {
  const { nodes } = estimate(shape);
  return Math.min(MOST_SPLIT, 2 ** Math.max(0, Math.ceil(Math.log2(nodes / NODES_PER_SPLIT))));
}

/** Returns the number of layers of each block of a shape. */
export function blockLayersOf(shape: Shape): number {
  return estimate(shape).nodes <= MOST_NODES ? BLOCK_LAYERS : BLOCK_LAYERS_OF_LARGE;
}

/** Returns the first layer of a block, given the layers of each block. */
export function firstLayerOf(block: BlockNumber, blockLayers: number): number {
  return Number(BigInt(`0x${block}`) & RANGE_MASK) * blockLayers;
}

/** Sums the boards of blocks, and those of their nodes that are open in a round. */
export function sizeOf(blocks: Iterable<LayersBlock>, inRound: number) {
  let [boards, live] = [0, 0];
  for (const block of blocks) {
    boards += block.boards;
    if (block.round === inRound) live += block.live;
  }
  return { boards, live };
}
