import {
  cellCount,
  MAX_NUMBER_CELLS,
  type PackedNode,
  packedFromBits,
  packedFromNumber,
  packedToNumber,
  type Shape,
} from "@gridlock/game";

/** A node as a map key: twice its packed board, plus 1 if the placer is to move. */
export type NodeKey = number | bigint;

/**
 * Converts the nodes of one shape to map keys and back. As keys of a map, numbers are several times
 * as fast as bigints. So keys are numbers up to {@link MAX_NUMBER_CELLS} cells, since a number
 * holds their 52 bits and one for the turn exactly, and bigints on larger boards.
 */
export class NodeKeys {
  readonly #shape: Shape;
  readonly #areNumbers: boolean;

  constructor(shape: Shape) {
    this.#shape = shape;
    this.#areNumbers = cellCount(shape) <= MAX_NUMBER_CELLS;
  }

  /** Returns the key of a node. */
  of({ turn, board }: PackedNode): NodeKey {
    const isPlacer = turn === "placer";
    if (this.#areNumbers) return 2 * packedToNumber(this.#shape, board) + (isPlacer ? 1 : 0);
    return (board << 1n) | (isPlacer ? 1n : 0n);
  }

  /** Returns the node of a key; the inverse of {@link of}. */
  nodeOf(key: NodeKey): PackedNode {
    if (typeof key === "number") {
      const board = packedFromNumber(this.#shape, Math.floor(key / 2));
      return { turn: key % 2 === 0 ? "slider" : "placer", board };
    }
    return { turn: (key & 1n) === 0n ? "slider" : "placer", board: packedFromBits(key >> 1n) };
  }
}
