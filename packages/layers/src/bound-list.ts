import { type Bound, type Game, type PackedBoard, packedFromBits } from "@gridlock/game";
import { BlockFile, SECTION } from "./block-file.js";
import { BLOCK_LAYERS } from "./blocks.js";
import { instantiate } from "./module.js";
import type { BlockFiles } from "./visits.js";

/** A node of a proof by layers: a canonical afterstate and its proven bound, in points. */
export interface ProvenNode extends Bound {
  readonly board: PackedBoard;
}

/**
 * Reads the bounds of a block's boards from its files, those of the base first. A board that is in both has its later
 * bound in the second.
 *
 * @throws {DamagedFile} if a file is missing or damaged
 */
export function* boundsIn(
  game: Game,
  folder: string,
  { base, visit }: BlockFiles,
): Iterable<ProvenNode> {
  const { boardOfKey } = instantiate(game, new WebAssembly.Memory({ initial: MODULE_PAGES }));
  for (const name of base === undefined ? [visit] : [base, visit]) {
    using file = new BlockFile(folder, name);
    const section = file.sections.find(({ kind }) => kind === SECTION.table);
    if (section === undefined) continue;
    const bytes = new Uint8Array(section.bytes);
    file.read(section, bytes, 0);
    const own = ownNodes(file);
    for (const [key, lo, hi, ref] of readTable(bytes, section.items)) {
      const isOwn = (ref & 1) === 1 ? ref >> 2 <= own : ref >> 2 === 0;
      if (isOwn) yield { board: packedFromBits(boardOfKey(key)), lo: 4 * lo, hi: 4 * hi };
    }
  }
}

/** Returns the number of nodes in a file that are of its block; a list of nodes begins with their numbers by layer. */
function ownNodes(file: BlockFile): number {
  const section = file.sections.find(({ kind }) => kind === SECTION.nodes);
  if (section === undefined) return 0;
  const bytes = new Uint8Array(section.bytes);
  file.read(section, bytes, 0);
  const view = new DataView(bytes.buffer);
  let count = 0;
  for (let layer = 0; layer < BLOCK_LAYERS; layer++) count += view.getUint32(4 * layer, true);
  return count;
}

/** Pages of memory for the tables of a module, without those of a visit. */
const MODULE_PAGES = 64;

/** Decodes a table, as `assembly/lists.ts` writes it: key, lo, hi, and the item's reference. */
function* readTable(
  bytes: Uint8Array,
  items: number,
): Iterable<[key: bigint, lo: number, hi: number, ref: number]> {
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
    yield [key, lo, hi, Number(readNumber())];
  }
}
