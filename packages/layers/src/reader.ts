import { join } from "node:path";
import { crc32 } from "node:zlib";
import { type Bound, type Game, normalShape, type PackedBoard } from "@gridlock/game";
import { StoreError } from "@gridlock/store";
import { type BlockFile, BlockFiles } from "./block-file.js";
import { type BlockNumber, blockLayersOf, blockOf } from "./blocks.js";
import { boundsIn, type ProvenNode } from "./bound-list.js";
import {
  type BoardChunk,
  boundIn,
  CHUNK_HEAD_BYTES,
  type ChunkIndex,
  decodeRun,
  firstKeyOf,
  indexChunk,
} from "./chunk.js";
import { ChunkReader, DamagedFile } from "./chunk-file.js";
import { savedState } from "./folder.js";
import { keysOf } from "./keys.js";
import { boardsOfKeys } from "./module.js";

/** Default for the most bytes of chunks' indexes to keep: those of some gigabyte of files. */
const CACHE_BYTES = 64 * 2 ** 20;

/** Options of a reader of a proof's files. */
export interface LayersReaderOptions {
  /** Most bytes of chunks' indexes to keep; one index is always kept. */
  readonly cacheBytes?: number;
  /** Called once with the path of each file that is missing or damaged. */
  readonly onDamage?: (file: string) => void;
}

/** The chunks of a file: their positions and first keys. */
interface FilePlaces {
  readonly name: string;
  readonly places: readonly { readonly at: number; readonly firstKey: bigint }[];
}

/** The files of a block after a visit, the last one first. */
interface BlockPlaces {
  readonly step: number;
  readonly files: readonly FilePlaces[];
}

/**
 * Looks bounds up in the files of a proof by layers. Another process may be working on the proof:
 * the reader finds files that it has replaced under their new names. Bounds in damaged files are
 * unknown.
 */
export class LayersReader {
  readonly #game: Game;
  readonly #folder: string;
  readonly #blockLayers: number;
  readonly #keyOf: (afterstate: PackedBoard) => bigint;
  readonly #onDamage: (file: string) => void;
  readonly #indexes: IndexCache;
  readonly #places = new Map<BlockNumber, BlockPlaces>();
  /** Blocks in a version of which a file is missing or damaged, with its step. */
  readonly #damaged = new Map<BlockNumber, number>();
  #steps: ReadonlyMap<BlockNumber, number> = new Map();
  /** The number of blocks into which a hash splits one. */
  #split = 1;

  /**
   * @throws {StoreError} if the proof cannot be read, or belongs to another game or version;
   *   `missing` if the folder has no proof
   */
  constructor(
    game: Game,
    folder: string,
    { cacheBytes = CACHE_BYTES, onDamage = () => {} }: LayersReaderOptions = {},
  ) {
    this.#game = { ...game, shape: normalShape(game.shape) };
    this.#folder = folder;
    this.#blockLayers = blockLayersOf(this.#game.shape);
    this.#keyOf = keysOf(this.#game.shape);
    this.#onDamage = onDamage;
    this.#indexes = new IndexCache(cacheBytes);
    this.#readState();
  }

  /** Reads the step of each block's last visit, which is part of the name of its file. */
  #readState(): void {
    const { blocks, split } = savedState(this.#game, this.#folder);
    this.#steps = new Map(blocks.map(({ block, step }) => [block, step]));
    this.#split = split;
  }

  /**
   * Returns the bound of a canonical afterstate, in points; `undefined` if the files do not have
   * it.
   */
  boundOf(afterstate: PackedBoard): Bound | undefined {
    const key = this.#keyOf(afterstate);
    const block = blockOf(afterstate, this.#blockLayers, this.#split);
    if (block === undefined) return undefined;
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
    const boardOfKey = boardsOfKeys(this.#game);
    for (const block of [...this.#steps.keys()]) {
      for (let step = this.#stepOf(block); step !== undefined; step = this.#stepOf(block)) {
        try {
          yield* boundsIn(this.#folder, block, step, boardOfKey);
          break;
        } catch (error) {
          this.#afterDamage(block, step, error);
        }
      }
    }
  }

  /** Returns a file's bound of the afterstate with a key, if it has one. */
  #boundIn({ name, places }: FilePlaces, key: bigint): Bound | undefined {
    const i = lastNotAbove(places.length, (i) => places[i]?.firstKey as bigint, key);
    const place = places[Math.max(i, 0)]; // first keys have no checksum, but chunks do
    if (place === undefined) return undefined;
    const { keys, lo, hi } = this.#run(name, place.at, key);
    const found = keys.indexOf(key);
    return found < 0 ? undefined : boundIn(lo[found] as number, hi[found] as number);
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

  #filesOf(block: BlockNumber, step: number): BlockPlaces["files"] {
    let known = this.#places.get(block);
    if (known?.step !== step) {
      using blocks = new BlockFiles(this.#folder, block, step);
      known = { step, files: blocks.files.map(placesIn).reverse() };
      this.#places.set(block, known);
    }
    return known.files;
  }

  /** Returns the run of boards of a chunk that may have a key. */
  #run(name: string, at: number, key: bigint): BoardChunk {
    const { width, before, starts, checksums } = this.#index(name, at);
    const run = Math.max(
      0,
      lastNotAbove(before.length, (i) => before[i] as bigint, key - 1n),
    );
    using reader = new ChunkReader(this.#folder, name, at);
    const bytes = reader.part(starts[run] as number, starts[run + 1] as number);
    if (crc32(bytes) !== checksums[run]) throw new DamagedFile(name, "is damaged");
    return decodeRun(bytes, width, before[run] as bigint, name);
  }

  #index(name: string, at: number): ChunkIndex {
    const id = `${name} ${at}`;
    const known = this.#indexes.get(id);
    if (known) return known;
    using reader = new ChunkReader(this.#folder, name, at);
    const index = indexChunk(reader.next(), name);
    this.#indexes.put(id, index);
    return index;
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
    const { at, start } = file.skipNext(CHUNK_HEAD_BYTES);
    if (start.length === 0) return { name, places };
    if (start.length < CHUNK_HEAD_BYTES) throw new DamagedFile(name, "is damaged");
    const firstKey = firstKeyOf(start);
    if (firstKey <= (places.at(-1)?.firstKey ?? -1n)) throw new DamagedFile(name, "is damaged");
    places.push({ at, firstKey });
  }
}

/** Returns the index of the last of `count` ascending keys that is not above a key, or −1. */
function lastNotAbove(count: number, keyAt: (index: number) => bigint, key: bigint): number {
  let [from, end] = [0, count];
  while (from < end) {
    const middle = (from + end) >> 1;
    if (keyAt(middle) <= key) from = middle + 1;
    else end = middle;
  }
  return from - 1;
}

/** Keeps the most recently used indexes. */
class IndexCache {
  readonly #most: number;
  /** In the order of their last use. */
  readonly #indexes = new Map<string, ChunkIndex>();
  #bytes = 0;

  /** @param most the most bytes of all indexes */
  constructor(most: number) {
    this.#most = most;
  }

  get(id: string): ChunkIndex | undefined {
    const index = this.#indexes.get(id);
    if (index === undefined) return undefined;
    this.#indexes.delete(id);
    this.#indexes.set(id, index);
    return index;
  }

  put(id: string, index: ChunkIndex): void {
    this.#bytes += bytesOf(index);
    for (const [oldest, old] of this.#indexes) {
      if (this.#bytes <= this.#most) break;
      this.#indexes.delete(oldest);
      this.#bytes -= bytesOf(old);
    }
    this.#indexes.set(id, index);
  }
}

function bytesOf({ before, starts, checksums }: ChunkIndex): number {
  return before.byteLength + starts.byteLength + checksums.byteLength;
}
