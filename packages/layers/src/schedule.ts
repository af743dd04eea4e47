import type { LayersBlock } from "@gridlock/store";

/*
 * Selects the blocks to visit in a step, as `docs/layers.md` describes. Whether a block is in memory
 * does not count, so that the order depends only on the proof.
 */

/** Blocks with at least this part of the largest urgency are visited. */
const NEARLY_MOST = 0.1;
/** Reading a node takes as long as reading this many settled boards. */
const BOARDS_PER_NODE = 15;
/** A block is twice as urgent as another whose layers are this much lower. */
const TWICE_AS_URGENT = 8;

/** A block's load, from which the cost of its visit is estimated. */
interface Load extends Pick<LayersBlock, "boards" | "live"> {
  readonly firstLayer: number;
  /** The block's work: demands, answers, and nodes to expand. */
  readonly pending: number;
}

/** Returns the blocks to visit in the next step, among those with work. */
export function nextVisits<Block extends Load>(blocks: readonly Block[]): Block[] {
  const highest = Math.max(...blocks.map(({ firstLayer }) => firstLayer));
  const urgencies = blocks.map((block) => urgency(block, highest));
  const enough = NEARLY_MOST * Math.max(...urgencies);
  return blocks.filter((_, i) => (urgencies[i] as number) >= enough);
}

/** Returns a block's work for the cost of a visit, weighted by its layers. */
function urgency({ firstLayer, pending, boards, live }: Load, highest: number): number {
  const weight = 2 ** ((firstLayer - highest) / TWICE_AS_URGENT);
  return (weight * (pending + 1)) / (boards + BOARDS_PER_NODE * live + 1);
}
