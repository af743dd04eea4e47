import {
  cellCount,
  MAX_NUMBER_CELLS,
  type PackedNode,
  packedToNumber,
  type Shape,
} from "@gridlock/game";

/** A node as a map key: twice its packed board, plus 1 if the placer is to move. */
export type NodeKey = number | bigint;

/**
 * Returns the key of a node of a shape. As keys of a map, numbers are several times as fast as
 * bigints. So keys are numbers up to {@link MAX_NUMBER_CELLS} cells, since a number holds their 52
 * bits and one for the turn exactly, and bigints on larger boards.
 */
export function keyOf(shape: Shape, { turn, board }: PackedNode): NodeKey {
  const isPlacer = turn === "placer";
  if (cellCount(shape) > MAX_NUMBER_CELLS) return (board << 1n) | (isPlacer ? 1n : 0n);
  return 2 * packedToNumber(shape, board) + (isPlacer ? 1 : 0);
}
