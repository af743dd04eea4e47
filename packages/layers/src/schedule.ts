/*
 * Selects the blocks to visit in a step: those with work. A visit may have to read its whole block
 * from a file and write it again, so a block with hardly any work for its size waits for more,
 * while others have some. Whether the block is in memory does not count, so that the order depends
 * only on the proof.
 */

/** A block with this much work per board is visited anyway; `docs/layers.md` compares values. */
const ENOUGH = 0.0002;
/** Otherwise, blocks with at least this part of the largest work per board are visited. */
const NEARLY_MOST = 1 / 2;

/** A block's work (demands, answers, and nodes to expand), and its boards. */
interface Load {
  readonly pending: number;
  readonly boards: number;
}

/** Returns the blocks to visit in the next step, among those with work. */
export function nextVisits<Block extends Load>(blocks: readonly Block[]): Block[] {
  const enough = Math.min(ENOUGH, NEARLY_MOST * Math.max(...blocks.map(urgency)));
  return blocks.filter((block) => urgency(block) >= enough);
}

/** Returns a block's work per board. */
function urgency({ pending, boards }: Load): number {
  return (pending + 1) / (boards + 1);
}
