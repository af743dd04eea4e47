import {
  type Board,
  type Bound,
  formatShape,
  type Game,
  type Node,
  normalShape,
  type Tiles,
} from "@gridlock/game";
import { createTable, Kernel, tableLimits } from "@gridlock/kernel";
import {
  type Analysis,
  Analyst,
  defaultMemory,
  type MoveAnalysis,
  saveCostlyBounds,
  whyNoKernel,
} from "@gridlock/solver";
import { type BoundTable, Database, StoreError } from "@gridlock/store";
import {
  type Column,
  canTabulate,
  columnFileOf,
  Tabulation,
  valueOfNode,
  valuesOfNode,
} from "@gridlock/tablebase";
import { UsageError } from "./exit.js";
import { machineTooSmall, tooLittleMemory } from "./options/options.js";

/** The table of a query's own searches: enough for seconds. */
const MEMORY = 256 * 2 ** 20;
/** What is kept in memory of a tabulation: all of 3×3 finds room. */
const MOST_CACHE = 2 ** 30;

/** What a board is worth. */
export interface Worth extends Node {
  readonly bound: Bound;
  /** Whether the game has been tabulated, so that its boards' worth against chance can be told. */
  readonly tabulated: boolean;
  /** Points that are to be expected against chance; `undefined` when no play from a start leads to the board. */
  readonly expected: number | undefined;
}

/** What there is to tell of a board. */
export interface Answer extends Worth, Analysis {
  readonly moves: readonly AnsweredMove[];
}

interface AnsweredMove extends MoveAnalysis {
  /** Points that are to be expected after the move, without its score. */
  readonly expected: number | undefined;
}

/** How boards are to be answered. */
export interface LibraryOptions {
  readonly tiles: Tiles;
  /** The database. */
  readonly db: string;
  /** Seconds that a search may take for a board. */
  readonly budget: number;
  /** Bytes of the table of such a search. */
  readonly memory?: number;
}

/** All that belongs to one game. */
interface Shelf {
  readonly game: Game;
  readonly analyst: Analyst;
  readonly bounds: BoundTable;
  readonly kernel: Kernel | undefined;
  readonly tabulation: Tabulation | undefined;
}

/** The analysts of the games that are asked about, over one database and the tabulations beside it. */
export class Library implements Disposable {
  readonly #options: LibraryOptions;
  readonly #database: Database;
  readonly #shelves = new Map<string, Shelf>();

  constructor(options: LibraryOptions) {
    this.#options = options;
    this.#database = openToRead(options.db);
  }

  /** What a board is worth: looked up or, within the budget, searched. */
  worth(node: Node): Worth {
    const { analyst, tabulation } = this.#shelfOf(node.board);
    const values = tabulation && valuesOfNode(tabulation, ["minimax", "expected"], node);
    const [minimax, expected] = values ?? [];
    const bound =
      minimax === undefined
        ? analyst.value(node, this.#options.budget)
        : { lo: minimax, hi: minimax };
    return { ...node, bound, tabulated: tabulation !== undefined, expected };
  }

  /** All that can be told of a board: looked up or, within the budget, searched. */
  answer(node: Node): Answer {
    const { analyst, tabulation } = this.#shelfOf(node.board);
    const { moves, ...analysis } = analyst.analyse(node, this.#options.budget);
    const expectedOf = (of: Node) => tabulation && valueOfNode(tabulation, "expected", of);
    return {
      ...analysis,
      tabulated: tabulation !== undefined,
      expected: expectedOf(node),
      moves: moves.map((move) => ({ ...move, expected: expectedOf(move.to) })),
    };
  }

  #shelfOf(board: Board): Shelf {
    const shape = normalShape(board);
    const name = formatShape(shape);
    let shelf = this.#shelves.get(name);
    if (shelf === undefined) {
      const game = { shape, tiles: this.#options.tiles };
      const bounds = this.#database.bounds(game);
      const kernel = kernelFor(game, this.#options.memory);
      const tabulation = tabulationOf(game, this.#options.db);
      const analyst = new Analyst(
        game,
        bounds,
        kernel,
        (node) => tabulation && valueOfNode(tabulation, "minimax", node),
      );
      shelf = { game, bounds, kernel, tabulation, analyst };
      this.#shelves.set(name, shelf);
    }
    return shelf;
  }

  /** Stores what has been proven, if the database can be written. */
  save(): void {
    for (const { analyst, bounds } of this.#shelves.values()) {
      const fresh = analyst.takeFresh();
      if (!this.#database.readOnly) bounds.merge(fresh);
    }
  }

  /** Saves all that has been proven, including what the searches found on their way. */
  [Symbol.dispose](): void {
    using _database = this.#database;
    for (const { tabulation } of this.#shelves.values()) tabulation?.close();
    this.save();
    if (this.#database.readOnly) return;
    for (const { game, analyst, bounds, kernel } of this.#shelves.values()) {
      if (kernel && analyst.hasSearched) saveCostlyBounds(kernel, game, bounds);
    }
  }
}

/** The tabulation of a game beside a database; `undefined` if there is none, or it cannot be used. */
function tabulationOf(game: Game, db: string): Tabulation | undefined {
  if (!canTabulate(game.shape)) return undefined;
  const fileOf = (column: Column) => columnFileOf(db, game, column);
  const cache = Math.min(MOST_CACHE, process.availableMemory() / 4);
  try {
    return Tabulation.open(game, ["minimax", "expected"], fileOf, cache);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.code !== "missing") console.error(`searching instead: ${error.message}`);
    return undefined;
  }
}

/** Opens a database for writing or, where it may only be read, for reading. */
function openToRead(file: string): Database {
  try {
    return Database.open(file);
  } catch (error) {
    if (!(error instanceof StoreError && error.code === "read-only")) throw error;
    const database = Database.open(file, { readOnly: true });
    console.error(`${file} may only be read: what a search proves will not be stored`);
    return database;
  }
}

function kernelFor(game: Game, memory: number | undefined): Kernel | undefined {
  if (whyNoKernel(game) !== undefined) return undefined;
  const { least } = tableLimits(game, 1);
  if (memory !== undefined && memory < least) throw new UsageError(tooLittleMemory(memory, least));
  const available = process.availableMemory();
  const bytes = memory ?? Math.max(least, Math.min(MEMORY, defaultMemory(game, 1, available)));
  if (bytes > available) throw new UsageError(machineTooSmall(bytes, least, available));
  return new Kernel(createTable(game, bytes, 1), 0);
}
