import {
  type Board,
  cellCount,
  exponentOf,
  formatBoard,
  type Game,
  normalShape,
  tileSum,
} from "@gridlock/game";
import { StoreError } from "@gridlock/store";
import { BLOCK_POSITIONS } from "./block.js";
import { BlockCache } from "./block-cache.js";
import { Images } from "./canonical.js";
import {
  CERTAINTY_UNITS,
  type Column,
  columnName,
  POINT_UNITS,
  type ValueColumn,
} from "./columns.js";
import { LayerFile } from "./layer-file.js";
import type { StoredLayer } from "./layer-format.js";
import { lastNotAbove } from "./numbers.js";
import { likelyStarts } from "./random-start.js";

/** Counts of a game's boards. */
export interface TabulationCounts {
  readonly positions: number;
  readonly terminal: number;
  readonly afterstates: number;
}

/** Default size of the block cache in bytes: a fifth of the blocks of 3×3. */
const CACHE_BYTES = 128 * 2 ** 20;

/** Positions whose codes lie side by side in the cache: those of a processor's cache line. */
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
  /** The file of the positions. */
  readonly positions: LayerFile;
  /** The file of the positions, and those of the columns. */
  readonly #files: readonly LayerFile[];
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
    this.positions = positions;
    this.#files = [positions, ...columns];
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
   * @param db the database beside which its files are
   * @param cacheBytes size of the block cache in bytes
   * @throws {StoreError} `missing` if a column's file does not exist, `damaged` if it is
   * incomplete, `other-game` if it belongs to another game
   */
  static open(
    game: Game,
    columns: readonly ValueColumn[],
    db: string,
    cacheBytes = CACHE_BYTES,
  ): Tabulation {
    const normal = { ...game, shape: normalShape(game.shape) };
    const files: LayerFile[] = [];
    const open = (column: Column) => {
      const file = new LayerFile(db, normal, column, false);
      files.push(file);
      file.expectComplete();
      return file;
    };
    try {
      const positions = open("positions");
      const values = columns.map(open);
      for (const file of values) expectLayersOf(positions, file);
      return new Tabulation(normal, positions, values, cacheBytes);
    } catch (error) {
      for (const file of files) file[Symbol.dispose]();
      throw error;
    }
  }

  /** The layers, in ascending order of their tile sums. */
  get layers(): readonly StoredLayer[] {
    return this.positions.layers;
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
   * Returns the entry of a position, or of its canonical image, in the cache: a number with which
   * {@link valueAt} reads its values until the next position is looked up; −1 if play from the
   * starts does not reach it.
   */
  entryOf(board: Board): number {
    this.#set(board);
    return this.#entry(this.#sum, this.#images.least());
  }

  /**
   * Returns the entry of the position with another tile in a cell, 0 for an empty one, as
   * {@link entryOf} does. Placements on one board are fast if they are looked up one after another.
   */
  entryAfter(board: Board, cell: number, tile: number): number {
    this.#set(board);
    const before = board.cells[cell] as number;
    const rise = exponentOf(tile) - exponentOf(before);
    return this.#entry(this.#sum + tile - before, this.#images.least(cell, rise));
  }

  /** Sets the board to look up, unless it is set already: boards never change. */
  #set(board: Board): void {
    if (board === this.#board) return;
    this.#board = board;
    this.#sum = tileSum(board);
    this.#images.set(board);
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
   * Returns a column's value of a position that play from the starts reaches: points against the
   * placer, expected points, or the chance of a tile.
   *
   * @throws {StoreError} `damaged` if the tabulation lacks the position
   */
  value(column: ValueColumn, board: Board): number {
    const entry = this.entryOf(board);
    if (entry >= 0) return this.valueAt(column, entry);
    throw new StoreError(
      "damaged",
      `${this.positions.file} lacks the position ${formatBoard(board)}; move it away and run gridlock tabulate`,
    );
  }

  /** Returns the mean of a column over the starts of the ordinary game. */
  mean(column: ValueColumn): number {
    return likelyStarts(this.game).reduce(
      (sum, { board, chance }) => sum + chance * this.value(column, board),
      0,
    );
  }

  /** Returns a column's value at an entry, as {@link value} does. */
  valueAt(column: ValueColumn, entry: number): number {
    const number = this.#numberOf.get(columnName(column)) as number;
    return inUnits(column, this.#numbers[entry + number * LINE] as number);
  }

  [Symbol.dispose](): void {
    for (const file of this.#files) file[Symbol.dispose]();
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
    const slot = this.#cache.allocate(block);
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
