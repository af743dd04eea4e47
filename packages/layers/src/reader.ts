import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type Bound,
  type Game,
  normalShape,
  type PackedBoard,
  packedFromBits,
} from "@gridlock/game";
import type { FiledBound } from "@gridlock/solver";
import { StoreError } from "@gridlock/store";
import type { ProvenNode } from "./block-check.js";
import { type BlockFile, BlockFiles } from "./block-file.js";
import { type BlockNumber, blockLayersOf } from "./blocks.js";
import { ChunkReader, DamagedFile, malformed } from "./chunk-file.js";
import { layersFolderOf, savedState } from "./folder.js";
import { type CheckExports, instantiateCheck, pointsOf, stageNext } from "./module.js";

/** Bytes at the beginning of a chunk: those of a difference (a byte), and the first key less 1. */
const CHUNK_HEAD_BYTES = 9;

/** The chunks of a file: their positions and first keys. */
interface FilePlaces {
  readonly name: string;
  readonly places: readonly { readonly at: number; readonly firstKey: bigint }[];
}

/**
 * Looks bounds up in the files of a proof by layers. Another process may be working on the proof:
 * the reader finds files that it has replaced under their new names. Bounds in damaged files are
 * unknown.
 */
export class LayersReader {
  readonly #game: Game;
  readonly #folder: string;
  readonly #onDamage: (file: string) => void;
  readonly #module: CheckExports;
  /** The files of blocks after the visit in a step, the last one first. */
  readonly #places = new Map<BlockNumber, { step: number; files: readonly FilePlaces[] }>();
  /** Blocks in a version of which a file is missing or damaged, with its step. */
  readonly #damaged = new Map<BlockNumber, number>();
  #steps: ReadonlyMap<BlockNumber, number> = new Map();

  /**
   * @param onDamage called once with the path of each file that is missing or damaged
   * @throws {StoreError} if the proof cannot be read, or belongs to another game or version;
   *   `missing` if the folder has no proof
   */
  constructor(game: Game, folder: string, onDamage: (file: string) => void = () => {}) {
    this.#game = { ...game, shape: normalShape(game.shape) };
    this.#folder = folder;
    this.#module = instantiateCheck(this.#game);
    this.#module.setBlockLayers(blockLayersOf(this.#game.shape));
    this.#onDamage = onDamage;
    this.#readState();
  }

  /** Reads the step of each block's last visit, which is part of the name of its file. */
  #readState(): void {
    const { blocks, split } = savedState(this.#game, this.#folder);
    this.#steps = new Map(blocks.map(({ block, step }) => [block, step]));
    this.#module.setSplit(split);
  }

  /**
   * Returns the bound of a canonical afterstate, in points; `undefined` if the files do not have
   * it.
   */
  boundOf(afterstate: PackedBoard): Bound | undefined {
    const key = BigInt.asUintN(64, this.#module.keyOf(afterstate));
    const block = BigInt.asUintN(64, this.#module.blockOfBoard(afterstate)).toString(16);
    for (let step = this.#stepOf(block); step !== undefined; step = this.#stepOf(block)) {
      try {
        for (const file of this.#filesOf(block, step)) {
          const bound = this.#boundIn(file, key);
          if (bound) return bound;
        }
        return undefined;
      } catch (error) {
        this.#afterDamage(block, step, error);
      }
    }
    return undefined;
  }

  /** Yields the bounds of all afterstates, block by block. A bound may come more than once. */
  *bounds(): Iterable<ProvenNode> {
    const module = instantiateCheck(this.#game); // boards may be looked up meanwhile
    for (const block of [...this.#steps.keys()]) {
      for (let step = this.#stepOf(block); step !== undefined; step = this.#stepOf(block)) {
        try {
          using files = new BlockFiles(this.#folder, block, step);
          for (const file of files.files) yield* boundsIn(module, file);
          break;
        } catch (error) {
          this.#afterDamage(block, step, error);
        }
      }
    }
  }

  /** Returns a file's bound of the afterstate with a key, if it has one. */
  #boundIn({ name, places }: FilePlaces, key: bigint): Bound | undefined {
    // First keys have no checksum, but chunks do.
    const place = places.findLast(({ firstKey }) => firstKey <= key) ?? places[0];
    if (place === undefined) return undefined;
    using file = new ChunkReader(this.#folder, name, place.at);
    const found = this.#module.findOwn(stageNext(this.#module, file), key);
    if (found < 0) throw malformed(name);
    return found === 0 ? undefined : pointsOf(this.#module.ownBound());
  }

  /** Returns the step of a block's last visit; `undefined` if a file of that is damaged. */
  #stepOf(block: BlockNumber): number | undefined {
    const step = this.#steps.get(block);
    return step === this.#damaged.get(block) ? undefined : step;
  }

  /**
   * Finds out whether other files have replaced those of a block, one of which is missing or
   * damaged.
   *
   * @throws the error, if it is another one
   */
  #afterDamage(block: BlockNumber, step: number, error: unknown): void {
    if (!(error instanceof DamagedFile)) throw error;
    try {
      this.#readState();
    } catch (failure) {
      if (!(failure instanceof StoreError)) throw failure; // the proof was deleted or restarted meanwhile
    }
    if (this.#stepOf(block) !== step) return; // replaced, or already reported
    this.#damaged.set(block, step);
    this.#onDamage(join(this.#folder, error.file));
  }

  #filesOf(block: BlockNumber, step: number): readonly FilePlaces[] {
    let known = this.#places.get(block);
    if (known?.step !== step) {
      using blocks = new BlockFiles(this.#folder, block, step);
      known = { step, files: blocks.files.map(placesIn).reverse() };
      this.#places.set(block, known);
    }
    return known.files;
  }
}

/**
 * Lists the chunks of a file without reading them.
 *
 * @throws {DamagedFile} if the file is truncated
 */
function placesIn(file: BlockFile): FilePlaces {
  const { name } = file;
  const places: { at: number; firstKey: bigint }[] = [];
  for (;;) {
    const at = file.position;
    const start = file.skipNext(CHUNK_HEAD_BYTES);
    if (start.length === 0) return { name, places };
    if (start.length < CHUNK_HEAD_BYTES) throw new DamagedFile(name, "is damaged");
    const firstKey = start.readBigUInt64LE(1) + 1n;
    if (firstKey <= (places.at(-1)?.firstKey ?? -1n)) throw new DamagedFile(name, "is damaged");
    places.push({ at, firstKey });
  }
}

/** Reads the bounds of a block's own boards in one of its files. */
function* boundsIn(module: CheckExports, file: BlockFile): Iterable<ProvenNode> {
  for (let bytes = stageNext(module, file); bytes > 0; bytes = stageNext(module, file)) {
    module.beginBytes(bytes);
    let found = module.nextOwn();
    for (; found > 0; found = module.nextOwn()) {
      yield { board: packedFromBits(module.ownBoard()), ...pointsOf(module.ownBound()) };
    }
    if (found < 0) throw malformed(file.name);
  }
}

/**
 * Opens a game's proof by layers beside a database, to look bounds up in its files.
 *
 * @param warn receives a sentence about each file or folder that cannot be used
 * @returns `undefined` if there is no proof or it cannot be used
 */
export function boundsOfLayers(
  game: Game,
  databaseFile: string,
  warn: (sentence: string) => void,
): FiledBound | undefined {
  const folder = layersFolderOf(databaseFile, game);
  if (!existsSync(folder)) return undefined;
  const onDamage = (file: string) => warn(`searching instead: ${file} is missing or damaged`);
  try {
    const layers = new LayersReader(game, folder, onDamage);
    return (afterstate) => layers.boundOf(afterstate);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.code !== "missing") warn(`searching instead: ${error.message}`);
    return undefined;
  }
}
