import type { Bound, PackedBoard } from "@gridlock/game";
import { BlockFile } from "./block-file.js";
import { boundIn, decodeChunk } from "./chunk.js";

/** A node of a proof by layers: a canonical afterstate and its proven bound, in points. */
export interface ProvenNode extends Bound {
  readonly board: PackedBoard;
}

/**
 * Reads the bounds of a block's boards from its file.
 *
 * @param boardOfKey returns the afterstate of a key; see `boardsOfKeys`
 * @throws {DamagedFile} if the file is missing or damaged
 */
export function* boundsIn(
  folder: string,
  name: string,
  boardOfKey: (key: bigint) => PackedBoard,
): Iterable<ProvenNode> {
  using file = new BlockFile(folder, name);
  for (const bytes of file.chunks()) {
    const { keys, lo, hi } = decodeChunk(bytes);
    for (let i = 0; i < keys.length; i++) {
      const board = boardOfKey(keys[i] as bigint);
      yield { board, ...boundIn(lo[i] as number, hi[i] as number) };
    }
  }
}
