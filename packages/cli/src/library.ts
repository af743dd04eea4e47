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
import { boundsOfLayers, type LayersPlace } from "./layers-files.js";
import { machineTooSmall, tooLittleMemory } from "./options/memory.js";

/** Bytes of a query's table: enough for searches of seconds. */
const MEMORY = 256 * 2 ** 20;
/** Bytes of a tabulation kept in memory: enough for all of 3×3. */
const MOST_CACHE = 2 ** 30;

/** A node's value against the placer and, where its game is tabulated, against chance. */
export interface Worth extends Node {
  /** The points still to come against the placer. */
  readonly bound: Bound;
  /** Whether the game is tabulated, so that values against chance are known. */
  readonly tabulated: boolean;
  /** Points expected against chance; `undefined` when no play from a start leads to the board. */
  readonly expected: number | undefined;
}

/** A node's value, those of its moves, and a line of best play. */
export interface Answer extends Worth, Analysis {
  readonly moves: readonly AnsweredMove[];
}

interface AnsweredMove extends MoveAnalysis {
  /** Points expected against chance after the move, without its score. */
  readonly expected: number | undefined;
}

/** The settings for answering queries. */
export interface LibraryOptions extends LayersPlace {
  readonly tiles: Tiles;
  /** Seconds to search for a board at most. */
  readonly budget: number;
  /** Bytes of a search's table; default: up to 256 MiB. */
  readonly memory?: number;
}

/** The sources of answers for one game. */
interface Shelf {
  readonly game: Game;
  readonly analyst: Analyst;
  readonly bounds: BoundTable;
  readonly kernel: Kernel | undefined;
  readonly tabulation: Tabulation | undefined;
}

/**
 * Answers queries about boards of any game, from a database, the tabulations and proofs by layers beside it, and
 * searches within a budget.
 * Saves what it proves when it is disposed of, unless the database is read-only.
 */
export class Library implements Disposable {
  readonly #options: LibraryOptions;
  readonly #database: Database;
  readonly #shelves = new Map<string, Shelf>();

  constructor(options: LibraryOptions) {
    this.#options = options;
    this.#database = openToRead(options.db);
  }

  /** Returns a node's value: looked up or, within the budget, searched. */
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

  /** Returns a node's value, those of its moves and a line of best play: looked up or, within the budget, searched. */
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
      const layers = boundsOfLayers(game, this.#options);
      const analyst = new Analyst(
        game,
        bounds,
        kernel,
        (node) => tabulation && valueOfNode(tabulation, "minimax", node),
        layers,
      );
      shelf = { game, bounds, kernel, tabulation, analyst };
      this.#shelves.set(name, shelf);
    }
    return shelf;
  }

  /** Saves what has been proven since the last call, unless the database is read-only. */
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

/** Opens the tabulation of a game beside a database; returns `undefined` if it is missing or cannot be used. */
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

/** Opens a database for writing or, if its file is read-only, for reading. */
function openToRead(file: string): Database {
  try {
    return Database.open(file);
  } catch (error) {
    if (!(error instanceof StoreError && error.code === "read-only")) throw error;
    const database = Database.open(file, { readOnly: true });
    console.error(`${file} is read-only: search results will not be saved`);
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
