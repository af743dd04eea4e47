import { fewestPoints, formatShape, isStart, type Node, type Tiles } from "@gridlock/game";
import type { Literature } from "@gridlock/schemas";

/** The tile that the cited proof forces on 4×4. */
const FORCED = 256;

const SLIZKOV: Literature = {
  bound: fewestPoints(FORCED),
  citation: "I. Slizkov, arXiv 2303.07266 (2023)",
  says: `a tile of ${FORCED} can be forced on 4×4`,
  checked: false,
};

/**
 * Returns the lower bound of a start that is known from the literature alone, or `undefined`. It has
 * no `lo` on purpose: it is no {@link Bound} and cannot be merged with one. There
 * is one, for all starts of 4×4 with 2s and 4s: according to a published proof, which Gridlock has
 * not checked, the slider can force a tile of 256, and so at least 1,536 points.
 *
 * A tile of 2^k that merges made has earned least if all its parts were placed as 4s. Each level of
 * merges, from 4 + 4 up, then earns 2^k points in total, and there are k − 2 levels: (k − 2)·2^k.
 * For 256 that is 256·(8 − 2) = 1,536. Any placed 2 adds a merge, and all other merges only add
 * points.
 */
export function literatureBound(node: Node, tiles: Tiles): Literature | undefined {
  if (!isStart(node) || tiles.length !== 2) return undefined;
  return formatShape(node.board) === "4x4" ? SLIZKOV : undefined;
}
