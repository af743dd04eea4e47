import {
  type Board,
  cellCount,
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
import { Images } from "./canonical.js";
import {
  CERTAINTY_UNITS,
  type Column,
  columnName,
  POINT_UNITS,
  type ValueColumn,
} from "./columns.js";
import { type LayerFile, LayerFiles } from "./layer-file.js";
import type { StoredLayer } from "./layer-format.js";
import { lastNotAbove } from "./numbers.js";

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

/** Positions whose codes lie side by side in the cache: those of a line of the processor's cache. */
const LINE = 16;
const LINES = BLOCK_POSITIONS / LINE;
/** More than any code; 32 bits of it, too, are more than any code of 32 bits. */
const MOST_CODE = Number.MAX_SAFE_INTEGER;
/** Most cells of boards that 32 bits hold without their first cell. */
const NARROW_CELLS = 9;

/**
 * A game's tabulation, open for reading. Checksums are verified: every method throws `StoreError`
 * `damaged` if it reads a damaged block.
 */
export class Tabulation implements Disposable {
  readonly #positions: LayerFile;
  readonly #columns: readonly LayerFile[];
  /** The numbers of the columns by name, from 1 on. */
  readonly #numberOf: ReadonlyMap<string, number>;
  readonly #images: Images;
  readonly #cache: BlockCache;
  /**
   * The blocks in the cache: 16 *codes* (boards without their first cell), then the 16 values of
   * each column, then 16 codes again. A look-up waits for memory, and for the page table even
   * longer, so all that it reads lies in one place.
   */
  readonly #numbers: Uint32Array | Float64Array;
  /** Numbers in a line of the cache. */
  readonly #lineNumbers: number;
  /** The first code of each line in the cache: few enough to stay in the processor's cache. */
  readonly #marks: Uint32Array | Float64Array;
  /** The first code of each block. */
  readonly #firsts: Uint32Array | Float64Array;
  /** For each half of a tile sum, the number of blocks of all layers with smaller sums. */
  readonly #blocksBefore: Int32Array;
  /** The board whose images are packed, and its tile sum. */
  #board: Board | undefined;
  #sum = 0;

  private constructor(
    readonly game: Game,
    positions: LayerFile,
    columns: readonly LayerFile[],
    cacheBytes: number,
  ) {
    const { layers, blocks } = positions;
    const isNarrow = cellCount(game.shape) <= NARROW_CELLS;
    const numbers = (length: number) =>
      isNarrow ? new Uint32Array(length) : new Float64Array(length);
    this.#lineNumbers = LINE * (1 + columns.length);
    const blockNumbers = LINES * this.#lineNumbers;
    this.#positions = positions;
    this.#columns = columns;
    this.#numberOf = new Map(columns.map(({ column }, i) => [columnName(column), i + 1]));
    const blockBytes = blockNumbers * numbers(1).BYTES_PER_ELEMENT;
    this.#cache = new BlockCache(blocks, Math.floor(cacheBytes / blockBytes));
    this.#numbers = numbers(this.#cache.slots * blockNumbers);
    this.#marks = numbers(this.#cache.slots * LINES);
    this.#firsts = numbers(blocks);
    this.#blocksBefore = new Int32Array((layers.at(-1)?.sum ?? 0) / 2 + 2);
    for (const { sum, firsts, blocksBefore } of layers) {
      this.#firsts.set(firsts, blocksBefore);
      this.#blocksBefore.fill(blocksBefore + firsts.length, sum / 2 + 1);
    }
    this.#images = new Images(game.shape);
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
    return this.#positions.layers;
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
    const entry = this.entryOf(board);
    if (entry < 0) return undefined;
    const layer = this.#positions.layer(this.#sum) as StoredLayer;
    const line = Math.floor(entry / this.#lineNumbers);
    const block = this.#cache.blockIn(Math.floor(line / LINES)) - layer.blocksBefore;
    const lineOfLayer = block * LINES + (line % LINES);
    return { layer, number: lineOfLayer * LINE + (entry % this.#lineNumbers) };
  }

  /**
   * Returns the entry of a position in the cache, as {@link find} finds it: a number with which
   * {@link valueAt} reads its values until the next position is looked up; −1 if play from the starts
   * does not reach it.
   */
  entryOf(board: Board): number {
    this.#take(board);
    return this.#entry(this.#sum, this.#images.least());
  }

  /**
   * Returns the entry of the position after a placement, as {@link entryOf} does. Placements on one
   * board are fast if they are looked up one after another.
   *
   * @param cell an empty cell
   */
  entryAfter(board: Board, cell: number, tile: number): number {
    this.#take(board);
    return this.#entry(this.#sum + tile, this.#images.least(cell, tile));
  }

  /** Takes a board, unless it is the one that was taken last: boards never change. */
  #take(board: Board): void {
    if (board === this.#board) return;
    this.#board = board;
    this.#sum = tileSum(board);
    this.#images.take(board);
  }

  /**
   * Returns the entry of a position: the index of its code in the cache, or −1.
   *
   * @param sum its tile sum
   * @param packed its canonical form, packed, as a number
   */
  #entry(sum: number, packed: number): number {
    if (sum / 2 >= this.#blocksBefore.length - 1) return -1;
    const code = Math.floor(packed / 16);
    const first = this.#blocksBefore[sum / 2] as number;
    const end = this.#blocksBefore[sum / 2 + 1] as number;
    const block = lastNotAbove(this.#firsts, first, end, code);
    if (block < first) return -1;
    const slot = this.#slot(sum, block);
    const line = lastNotAbove(this.#marks, slot * LINES, (slot + 1) * LINES, code);
    const from = line * this.#lineNumbers;
    const entry = lastNotAbove(this.#numbers, from, from + LINE, code);
    return this.#numbers[entry] === code ? entry : -1;
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
      `${this.#positions.file} lacks the position ${formatBoard(board)}; move it away and run gridlock tabulate`,
    );
  }

  /** Returns the position at a place. */
  board({ layer, number }: Place): Board {
    const code = this.#number(0, layer, number);
    const packed = packedFromNumber(this.game.shape, 16 * code + firstExponent(code, layer.sum));
    return unpackBoard(this.game.shape, packed);
  }

  /**
   * Returns a column's value at a place: points against the placer, expected points, or the chance
   * of a tile.
   */
  value(column: ValueColumn, { layer, number }: Place): number {
    return inUnits(column, this.#number(this.#columnNumber(column), layer, number));
  }

  /** Returns a column's value at an entry, as {@link value} does. */
  valueAt(column: ValueColumn, entry: number): number {
    return inUnits(column, this.#numbers[entry + this.#columnNumber(column) * LINE] as number);
  }

  #columnNumber(column: ValueColumn): number {
    return this.#numberOf.get(columnName(column)) as number;
  }

  /**
   * Reads all positions of a layer, in ascending order, as packed boards: pairs of halves, the low
   * half first.
   */
  readBoards(layer: StoredLayer, pairs: Uint32Array): void {
    this.#positions.read(layer, pairs);
  }

  close(): void {
    for (const file of this.#files) file[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  get #files(): readonly LayerFile[] {
    return [this.#positions, ...this.#columns];
  }

  /** Returns the code of a position, or for a column from 1 on its value there. */
  #number(column: number, { sum, blocksBefore }: StoredLayer, number: number): number {
    const block = (number / BLOCK_POSITIONS) | 0;
    const inBlock = number % BLOCK_POSITIONS;
    const line = this.#slot(sum, blocksBefore + block) * LINES + ((inBlock / LINE) | 0);
    return this.#numbers[line * this.#lineNumbers + column * LINE + (inBlock % LINE)] as number;
  }

  /**
   * Returns the slot of a block, which is read from the files unless it is cached.
   *
   * @param sum the tile sum of its layer
   * @param block its number among the blocks of all layers, in ascending order of their tile sums
   */
  #slot(sum: number, block: number): number {
    const cached = this.#cache.slotOf(block);
    return cached >= 0 ? cached : this.#load(sum, block);
  }

  #load(sum: number, block: number): number {
    const inLayer = block - (this.#blocksBefore[sum / 2] as number);
    const columns = this.#files.map((file) => file.block(file.layer(sum) as StoredLayer, inLayer));
    const slot = this.#cache.claim(block);
    const first = slot * LINES;
    const end = first + LINES;
    this.#numbers.fill(MOST_CODE, first * this.#lineNumbers, end * this.#lineNumbers);
    this.#marks.fill(MOST_CODE, first, end);
    const [codes = new Uint32Array()] = columns;
    for (let at = 0, line = first; at < codes.length; at += LINE, line++) {
      this.#marks[line] = codes[at] as number;
      columns.forEach((numbers, i) => {
        this.#numbers.set(numbers.subarray(at, at + LINE), line * this.#lineNumbers + i * LINE);
      });
    }
    return slot;
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
