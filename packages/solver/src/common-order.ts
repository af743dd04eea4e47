import { type Board, type PackedNode, tileSum } from "@gridlock/game";
import type { CanonicalNodes, Child } from "./canonical-nodes.js";

/**
 * Lists the children of a canonical node, without images of each other, in the common order of the
 * search (`kernel/assembly/order.ts`): the first is the likeliest to decide the node. That of
 * replies leaves out the rule for boards that are almost full, which are not near a start.
 */
export function childrenInOrder(nodes: CanonicalNodes, node: PackedNode): Child[] {
  const children = nodes.children(nodes.plain(node));
  const distinct = [...new Map(children.map((child) => [child.canonical.key, child])).values()];
  const rankOf = node.turn === "slider" ? slideRank : ({ board }: Child) => -tileSum(board);
  return distinct
    .map((child) => ({ child, rank: rankOf(child) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ child }) => child);
}

/** Ranks a slide as `slideRank` of `kernel/assembly/order.ts` does, from which its weights come. */
function slideRank({ board, score }: Pick<Child, "score"> & { readonly board: Board }): number {
  const { rows, cols, cells } = board;
  const isTall = Math.min(rows, cols) > 2;
  let rank = isTall && score > 0 ? -7 * (Math.floor(Math.log2(score / 4)) + 1) : 0;
  cells.forEach((tile, cell) => {
    if (tile === 0) rank -= 4;
    const next = (cell + 1) % cols === 0 ? undefined : cells[cell + 1];
    for (const other of [next, cells[cell + cols]]) {
      if (other === undefined) continue;
      if (tile === 0 || other === 0) rank += Math.log2(Math.max(tile, other, 1));
      else if (tile === other && isTall) rank -= 4;
    }
  });
  return rank;
}
