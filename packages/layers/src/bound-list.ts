import type { Bound, PackedBoard } from "@gridlock/game";
import { BlockFiles } from "./block-file.js";
import type { BlockNumber } from "./blocks.js";
import { boundIn, decodeChunk } from "./chunk.js";

/** A node of a proof by layers: a canonical afterstate and its proven bound, in points. */
export interface ProvenNode extends Bound {
  readonly board: PackedBoard;
}

/**
 * Reads the bounds of a block's boards after a visit, file by file: a board whose bound has changed
 * may come more than once.
 *
 * @param boardOfKey returns the afterstate of a key; see `boardsOfKeys`
 * @throws {DamagedFile} if the file is missing or damaged
 */
export function* boundsIn(
  folder: string,
  block: BlockNumber,
  step: number,
  boardOfKey: (key: bigint) => PackedBoard,
): Iterable<ProvenNode> {
  using blocks = new BlockFiles(folder, block, step);
  for (const file of blocks.files) {
    for (const bytes of file.chunks()) {
      const { keys, lo, hi } = decodeChunk(bytes, file.name);
      for (let i = 0; i < keys.length; i++) {
        const board = boardOfKey(keys[i] as bigint);
        yield { board, ...boundIn(lo[i] as number, hi[i] as number) };
      }
    }
  }
}
