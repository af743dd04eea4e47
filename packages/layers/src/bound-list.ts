import { join } from "node:path";
import { type Bound, type Game, type PackedBoard, packedFromBits } from "@gridlock/game";
import { instantiate } from "./module.js";
import { PartFile, SECTION } from "./part-file.js";

/** A node of a proof by layers: a canonical afterstate and its proven bound, in points. */
export interface ProvenNode extends Bound {
  readonly board: PackedBoard;
}

/**
 * Reads the bounds of a part from its files, those of the base first. A board that is in both has its later bound in
 * the second.
 *
 * @throws {DamagedFile} if a file is missing or damaged
 */
export function* boundsIn(
  game: Game,
  folder: string,
  files: readonly (string | undefined)[],
): Iterable<ProvenNode> {
  const memory = new WebAssembly.Memory({ initial: 64 });
  const { boardOfKey } = instantiate(game, memory, () => {
    throw new Error(`nothing is looked up in ${join(folder)}`);
  });
  for (const name of files) {
    if (name === undefined) continue;
    using file = new PartFile(folder, name);
    const section = file.find(SECTION.bounds);
    if (section === undefined) continue;
    const bytes = new Uint8Array(section.bytes);
    file.read(section, bytes, 0);
    for (const [key, lo, hi] of readBounds(bytes, section.items)) {
      yield { board: packedFromBits(boardOfKey(key)), lo: 4 * lo, hi: 4 * hi };
    }
  }
}

/** Decodes a list of bounds, as `assembly/bounds.ts` writes it. */
function* readBounds(bytes: Uint8Array, items: number): Iterable<[bigint, number, number]> {
  let at = 0;
  const readNumber = () => {
    let [value, shift] = [0n, 0n];
    for (;;) {
      const byte = bytes[at++] as number;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
      shift += 7n;
    }
  };
  let key = 0n;
  for (let i = 0; i < items; i++) {
    key += readNumber();
    const code = Number(readNumber());
    const value = code >> 2;
    const lo = code & 1 ? value : 0;
    const hi =
      (code & 3) === 3 ? value + Number(readNumber()) : code & 2 ? value : Number.POSITIVE_INFINITY;
    yield [key, lo, hi];
  }
}
