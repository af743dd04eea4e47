import {
  canonical,
  type Game,
  type PackedNode,
  packBoard,
  placements,
  type Shape,
  slides,
  unpackBoard,
} from "@gridlock/game";

/** A child of a node: a canonical board, and the points that the move to it earns. */
export interface Child extends PackedNode {
  readonly score: number;
}

/**
 * Lists the children of a canonical node, without images of each other, in the common order of the
 * search (`kernel/assembly/order.ts`): the first is the likeliest to decide the node. That of replies
 * leaves out the rule for boards that are almost full, which are not near a start.
 *
 * @param game in normal shape
 */
export function childrenOf({ shape, tiles }: Game, { board, turn }: PackedNode): Child[] {
  const plain = unpackBoard(shape, board);
  const isSlider = turn === "slider";
  const children: Child[] = isSlider
    ? slides(plain).map(({ board, score }) => ({
        ...{ turn: "placer", board: packBoard(canonical(board)), score },
      }))
    : placements(plain, tiles)
        .sort((a, b) => b.tile - a.tile || a.cell - b.cell)
        .map(({ board }) => ({ turn: "slider", board: packBoard(canonical(board)), score: 0 }));
  const distinct = [...new Map(children.map((child) => [child.board, child])).values()];
  if (!isSlider) return distinct;
  return distinct
    .map((child) => ({ child, rank: slideRank(shape, child) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ child }) => child);
}

/** Returns the rank of a slide, as `slideRank` of `kernel/assembly/order.ts` does, from which its weights come. */
function slideRank(shape: Shape, { board, score }: Child): number {
  const { cells } = unpackBoard(shape, board);
  const isTall = shape.rows > 2;
  let rank = isTall && score > 0 ? -7 * (Math.floor(Math.log2(score / 4)) + 1) : 0;
  cells.forEach((tile, cell) => {
    if (tile === 0) rank -= 4;
    const next = (cell + 1) % shape.cols === 0 ? undefined : cells[cell + 1];
    for (const other of [next, cells[cell + shape.cols]]) {
      if (other === undefined) continue;
      if (tile === 0 || other === 0) rank += Math.log2(Math.max(tile, other, 1));
      else if (tile === other && isTall) rank -= 4;
    }
  });
  return rank;
}
