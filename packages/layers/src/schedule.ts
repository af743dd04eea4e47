/*
 * Selects the blocks to visit in a step: those with the most work for what a visit costs. A visit
 * may have to read its whole block from a file, so a block with little work waits for more while
 * others have some. High layers come first: what is settled there spares the layers below work.
 * Whether a block is in memory does not count, so that the order depends only on the proof.
 * `docs/layers.md` compares values.
 */
/** Blocks with at least this part of the largest urgency are visited. */
const NEARLY_MOST = 0.1;
/** Reading a node takes as long as reading this many settled boards. */
const BOARDS_PER_NODE = 15;
/** A block is twice as urgent as another whose layers are this much lower. */
const TWICE_AS_URGENT = 8;

/** A block's load, from which the cost of its visit is estimated. */
interface Load {
  readonly firstLayer: number;
  /** The block's work: demands, answers, and nodes to expand. */
  readonly pending: number;
  /** The block's boards, and its nodes. */
  readonly boards: number;
  readonly live: number;
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
