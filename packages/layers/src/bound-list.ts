import { type Bound, type Game, type PackedBoard, packedFromBits } from "@gridlock/game";
import { BlockFile } from "./block-file.js";
import { boundIn, decodeChunk } from "./chunk.js";
import { instantiate } from "./module.js";

/** A node of a proof by layers: a canonical afterstate and its proven bound, in points. */
export interface ProvenNode extends Bound {
  readonly board: PackedBoard;
}

/** Pages of memory for a module that only computes boards. */
const MODULE_PAGES = 2;
const MOST_PAGES = 65_536;

/**
 * Reads the bounds of a block's boards from its file.
 *
 * @throws {DamagedFile} if the file is missing or damaged
 */
export function* boundsIn(game: Game, folder: string, name: string): Iterable<ProvenNode> {
  const memory = new WebAssembly.Memory({
    ...{ initial: MODULE_PAGES, maximum: MOST_PAGES, shared: true },
  });
  const { boardOfKey } = instantiate(game, memory, {
    makeRoom: () => undefined,
    tooManyBlocks: () => undefined,
  });
  using file = new BlockFile(folder, name);
  for (const bytes of file.chunks()) {
    const { keys, lo, hi } = decodeChunk(bytes);
    for (let i = 0; i < keys.length; i++) {
      const board = packedFromBits(boardOfKey(keys[i] as bigint));
      yield { board, ...boundIn(lo[i] as number, hi[i] as number) };
    }
  }
}
