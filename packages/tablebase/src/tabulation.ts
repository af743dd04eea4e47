import {
  type Board,
  formatBoard,
  type Game,
  normalShape,
  packedFromNumber,
  tileSum,
  unpackBoard,
} from "@gridlock/game";
import { StoreError } from "@gridlock/store";
import { BLOCK_POSITIONS, firstExponent } from "./block.js";
import { BlockCache } from "./block-cache.js";
import { canonicalizer } from "./canonical.js";
import {
  CERTAINTY_UNITS,
  type Column,
  columnName,
  POINT_UNITS,
  type ValueColumn,
} from "./columns.js";
import { type LayerFile, LayerFiles } from "./layer-file.js";
import type { StoredLayer } from "./layer-format.js";
import type { Numbers } from "./numbers.js";

/** The place of a position in a tabulation: its layer and its number there. */
export interface Place {
  readonly layer: StoredLayer;
  readonly number: number;
}

/** Counts of a game's boards. */
export interface TabulationCounts {
  readonly positions: number;
  readonly terminal: number;
  readonly afterstates: number;
}

/** Default size of the block cache in bytes: a fifth of the blocks of 3×3. */
const CACHE_BYTES = 128 * 2 ** 20;

/** A column's file, and the cache place of its first block. */
interface Source {
  readonly file: LayerFile;
  readonly firstPlace: number;
}

/**
 * A game's tabulation, open for reading. Checksums are verified: every method throws `StoreError`
 * `damaged` if it reads a damaged block.
 */
export class Tabulation implements Disposable {
  readonly #positions: Source;
  /** Sources by column name. */
  readonly #columns: ReadonlyMap<string, Source>;
  readonly #canonical: (board: Board) => number;
  readonly #cache: BlockCache;

  private constructor(
    readonly game: Game,
    positions: LayerFile,
    columns: readonly LayerFile[],
    cacheBytes: number,
  ) {
    let places = 0;
    const source = (file: LayerFile): Source => {
      const firstPlace = places;
      places += file.blocks;
      return { file, firstPlace };
    };
    this.#positions = source(positions);
    this.#columns = new Map(columns.map((file) => [columnName(file.column), source(file)]));
    this.#canonical = canonicalizer(game.shape);
    this.#cache = new BlockCache(places, cacheBytes);
  }

  /**
   * Opens a game's tabulation.
   *
   * @param fileOf returns the file of a column
   * @param cacheBytes size of the block cache in bytes
   * @throws {StoreError} `missing` if a column's file does not exist, `damaged` if it is
   * incomplete, `other-game` if it belongs to another game
   */
  static open(
    game: Game,
    columns: readonly ValueColumn[],
    fileOf: (column: Column) => string,
    cacheBytes = CACHE_BYTES,
  ): Tabulation {
    const normal = { ...game, shape: normalShape(game.shape) };
    const opened = new LayerFiles();
    const open = (column: Column) => {
      const file = opened.open(fileOf(column), normal, column, false);
      file.expectComplete();
      return file;
    };
    try {
      const positions = open("positions");
      const values = columns.map(open);
      for (const file of values) expectLayersOf(positions, file);
      return new Tabulation(normal, positions, values, cacheBytes);
    } catch (error) {
      opened[Symbol.dispose]();
      throw error;
    }
  }

  /** The layers, in ascending order of their tile sums. */
  get layers(): readonly StoredLayer[] {
    return this.#positions.file.layers;
  }

  /** Total size of the open files in bytes. */
  get bytes(): number {
    return this.#files.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  counts(): TabulationCounts {
    return this.layers.reduce(
      (counts, layer) => ({
        positions: counts.positions + layer.positions,
        terminal: counts.terminal + layer.terminals,
        afterstates: counts.afterstates + layer.afterstates,
      }),
      { positions: 0, terminal: 0, afterstates: 0 },
    );
  }

  /**
   * Returns the place of a position or of its canonical image; `undefined` if play from the starts
   * does not reach it.
   */
  find(board: Board): Place | undefined {
    return this.findPacked(tileSum(board), this.#canonical(board));
  }

  /**
   * Returns the place of a position as {@link find} does.
   *
   * @param sum its tile sum
   * @param packed its canonical form, packed, as a number
   */
  findPacked(sum: number, packed: number): Place | undefined {
    const layer = this.#positions.file.layer(sum);
    if (layer === undefined || layer.positions === 0) return undefined;
    const code = Math.floor(packed / 16);
    const block = lastNotAbove(layer.firsts, code);
    if (block < 0) return undefined;
    const codes = this.#block(this.#positions, layer, block);
    const place = lastNotAbove(codes, code);
    return codes[place] === code ? { layer, number: block * BLOCK_POSITIONS + place } : undefined;
  }

  /**
   * Returns the place of a position that play from the starts reaches.
   *
   * @throws {StoreError} `damaged` if the tabulation lacks it
   */
  placeOf(board: Board): Place {
    const place = this.find(board);
    if (place !== undefined) return place;
    throw new StoreError(
      "damaged",
      `${this.#positions.file.file} lacks the position ${formatBoard(board)}; move it away and run gridlock tabulate`,
    );
  }

  /** Returns the position at a place. */
  board({ layer, number }: Place): Board {
    const block = Math.floor(number / BLOCK_POSITIONS);
    const codes = this.#block(this.#positions, layer, block);
    const code = codes[number % BLOCK_POSITIONS] as number;
    const packed = packedFromNumber(this.game.shape, 16 * code + firstExponent(code, layer.sum));
    return unpackBoard(this.game.shape, packed);
  }

  /**
   * Returns a column's value at a place: points against the placer, expected points, or the chance
   * of a tile.
   */
  value(column: ValueColumn, { layer, number }: Place): number {
    const source = this.#columns.get(columnName(column)) as Source;
    const block = Math.floor(number / BLOCK_POSITIONS);
    const values = this.#block(source, source.file.layer(layer.sum) as StoredLayer, block);
    return inUnits(column, values[number % BLOCK_POSITIONS] as number);
  }

  /**
   * Reads all positions of a layer, in ascending order, as packed boards: pairs of halves, the low
   * half first.
   */
  readBoards(layer: StoredLayer, pairs: Uint32Array): void {
    this.#positions.file.read(layer, pairs);
  }

  close(): void {
    for (const file of this.#files) file[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  get #files(): readonly LayerFile[] {
    return [this.#positions, ...this.#columns.values()].map(({ file }) => file);
  }

  /** Returns a block of a column, from the cache or else from the file. */
  #block({ file, firstPlace }: Source, layer: StoredLayer, block: number): Numbers {
    const place = firstPlace + layer.blocksBefore + block;
    let numbers = this.#cache.get(place);
    if (numbers === undefined) {
      numbers = file.block(layer, block);
      this.#cache.put(place, numbers);
    }
    return numbers;
  }
}

/**
 * Checks that a column has values for all positions.
 *
 * @throws {StoreError} `damaged` if it lacks some
 */
function expectLayersOf({ file: positionsFile, layers }: LayerFile, column: LayerFile): void {
  const isWhole =
    column.layers.length === layers.length &&
    layers.every(({ sum, positions }) => column.layer(sum)?.positions === positions);
  if (isWhole) return;
  throw new StoreError(
    "damaged",
    `${column.file} has other positions than ${positionsFile}; run gridlock tabulate to repair it`,
  );
}

/** Converts a stored value to points, or to a chance. */
function inUnits(column: ValueColumn, stored: number): number {
  if (column === "minimax") return 4 * stored;
  return stored / (column === "expected" ? POINT_UNITS : CERTAINTY_UNITS);
}

/**
 * Returns the index of the last of some ascending numbers that is at most `number`; −1 if all are
 * larger.
 */
function lastNotAbove(ascending: Numbers, number: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) <= number) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
