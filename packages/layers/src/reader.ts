import { join } from "node:path";
import { crc32 } from "node:zlib";
import { type Bound, type Game, normalShape, type PackedBoard } from "@gridlock/game";
import { StoreError } from "@gridlock/store";
import { blockFileName, ChunkReader, DamagedFile } from "./block-file.js";
import { type BlockNumber, blockOf, firstLargeTile } from "./blocks.js";
import { boundsIn, type ProvenNode } from "./bound-list.js";
import {
  type BoardChunk,
  boundIn,
  type ChunkIndex,
  decodeChunk,
  firstKeyOf,
  indexChunk,
  MOST_NUMBER_BYTES,
} from "./chunk.js";
import { savedState } from "./folder.js";
import { keysOf } from "./keys.js";
import { boardsOfKeys } from "./module.js";

/** Default for the most bytes of chunks' indexes to keep: those of some gigabyte of files. */
const CACHE_BYTES = 64 * 2 ** 20;

export interface LayersReaderOptions {
  /** Most bytes of chunks' indexes to keep; one index is always kept. */
  readonly cacheBytes?: number;
  /** Called once with the path of each file that is missing or damaged. */
  readonly onDamage?: (file: string) => void;
}

/** The chunks of a block's file: their positions and first keys. */
interface BlockPlaces {
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
  readonly #firstLarge: number;
  readonly #keyOf: (afterstate: PackedBoard) => bigint;
  readonly #onDamage: (file: string) => void;
  readonly #indexes: IndexCache;
  readonly #places = new Map<BlockNumber, BlockPlaces>();
  readonly #damaged = new Set<string>();
  #steps: ReadonlyMap<BlockNumber, number>;

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
    this.#firstLarge = firstLargeTile(this.#game.shape);
    this.#keyOf = keysOf(this.#game.shape);
    this.#onDamage = onDamage;
    this.#indexes = new IndexCache(cacheBytes);
    this.#steps = this.#readSteps();
  }

  /** Reads the step of each block's last visit, which is part of the name of its file. */
  #readSteps(): Map<BlockNumber, number> {
    const { blocks } = savedState(this.#game, this.#folder);
    return new Map(blocks.map(({ block, step }) => [block, step]));
  }

  /**
   * Returns the bound of a canonical afterstate, in points; `undefined` if the files do not have
   * it.
   */
  boundOf(afterstate: PackedBoard): Bound | undefined {
    const key = this.#keyOf(afterstate);
    const boards = this.#boardsAround(blockOf(afterstate, this.#firstLarge), key);
    if (boards === undefined) return undefined;
    const i = boards.keys.indexOf(key);
    return i < 0 ? undefined : boundIn(boards.lo[i] as number, boards.hi[i] as number);
  }

  /** Yields the bounds of all afterstates, block by block. A bound may come twice. */
  *bounds(): Iterable<ProvenNode> {
    const boardOfKey = boardsOfKeys(this.#game);
    for (const block of [...this.#steps.keys()]) {
      for (
        let name = this.#fileOf(block);
        name !== undefined;
        name = this.#afterDamage(block, name)
      ) {
        try {
          yield* boundsIn(this.#folder, name, boardOfKey);
          break;
        } catch (error) {
          if (!(error instanceof DamagedFile)) throw error;
        }
      }
    }
  }

  /** Returns the boards of a block among which a key is, if the block has it. */
  #boardsAround(block: BlockNumber, key: bigint): BoardChunk | undefined {
    for (
      let name = this.#fileOf(block);
      name !== undefined;
      name = this.#afterDamage(block, name)
    ) {
      try {
        const places = this.#placesIn(block, name);
        const i = lastNotAbove(places.length, (i) => places[i]?.firstKey as bigint, key);
        const place = places[Math.max(i, 0)]; // first keys have no checksum, but chunks do
        return place && this.#run(name, place.at, key);
      } catch (error) {
        if (!(error instanceof DamagedFile)) throw error;
      }
    }
    return undefined;
  }

  /** Returns the name of a block's file; `undefined` if it is missing, or was found damaged. */
  #fileOf(block: BlockNumber): string | undefined {
    const step = this.#steps.get(block);
    const name = step === undefined ? undefined : blockFileName(block, step);
    return name === undefined || this.#damaged.has(name) ? undefined : name;
  }

  /** Returns the file that has replaced a missing or damaged file of a block, or `undefined`. */
  #afterDamage(block: BlockNumber, name: string): string | undefined {
    try {
      this.#steps = this.#readSteps();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error; // the proof was deleted or restarted meanwhile
    }
    if (this.#fileOf(block) === name) {
      this.#damaged.add(name);
      this.#onDamage(join(this.#folder, name));
    }
    return this.#fileOf(block);
  }

  #placesIn(block: BlockNumber, name: string): BlockPlaces["places"] {
    let known = this.#places.get(block);
    if (known?.name !== name) {
      known = { name, places: placesIn(this.#folder, name) };
      this.#places.set(block, known);
    }
    return known.places;
  }

  /** Returns the run of boards of a chunk that may have a key. */
  #run(name: string, at: number, key: bigint): BoardChunk {
    const { before, starts, checksums } = this.#index(name, at);
    const run = Math.max(
      0,
      lastNotAbove(before.length, (i) => before[i] as bigint, key - 1n),
    );
    using reader = new ChunkReader(this.#folder, name, at);
    const bytes = reader.part(starts[run] as number, starts[run + 1] as number);
    if (crc32(bytes) !== checksums[run]) throw new DamagedFile(name, "is damaged");
    return decodeChunk(bytes, before[run]);
  }

  #index(name: string, at: number): ChunkIndex {
    const id = `${name} ${at}`;
    const known = this.#indexes.get(id);
    if (known) return known;
    using reader = new ChunkReader(this.#folder, name, at);
    const index = indexChunk(reader.next());
    this.#indexes.put(id, index);
    return index;
  }
}

/**
 * Lists the chunks of a block's file without reading them.
 *
 * @throws {DamagedFile} if the file is missing or truncated
 */
function placesIn(folder: string, name: string): BlockPlaces["places"] {
  using reader = new ChunkReader(folder, name);
  reader.next(); // the numbers of boards and of nodes
  const places: { at: number; firstKey: bigint }[] = [];
  for (;;) {
    const { at, start } = reader.skipNext(MOST_NUMBER_BYTES);
    if (start.length === 0) return places;
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
