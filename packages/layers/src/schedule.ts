/*
 * Which blocks are visited in a step. A visit may have to read its whole block from a file and write it
 * again, so a block waits until what it has to do is some part of what it holds. Whether it is in memory
 * does not count: the order depends on nothing but the proof.
 */

/** A block with so many things to do for each of its boards is visited in any case. */
const ENOUGH = 0.05;
/** Otherwise the blocks are visited that have this part of what the one with the most has to do. */
const NEARLY_MOST = 1 / 2;

/** A block: the things to do in it, and its boards. */
interface Load {
  readonly pending: number;
  readonly boards: number;
}

/** Returns the blocks to visit in the next step, of those that have something to do. */
export function nextVisits<Block extends Load>(blocks: readonly Block[]): Block[] {
  const enough = Math.min(ENOUGH, NEARLY_MOST * Math.max(...blocks.map(urgency)));
  return blocks.filter((block) => urgency(block) >= enough);
}

/** Things to do for each board of a block. */
function urgency({ pending, boards }: Load): number {
  return (pending + 1) / (boards + 1);
}
