import type { Bound, Game } from "@gridlock/game";
import {
  type AskLimits,
  LocalPool,
  type Question,
  type Snapshots,
  warmTable,
} from "@gridlock/solver";
import { Database, snapshotFileOf } from "@gridlock/store";

/** The resources that a worker searches with. */
export interface EngineOptions {
  readonly threads: number;
  /** Returns the bytes to use for a game's table, by the memory that is free now. */
  memory(game: Game): number;
  /** The database for the costliest bounds; the table's snapshot is stored beside it. */
  readonly databaseFile: string;
  readonly snapshotEvery: number;
  readonly snapshotEffort: number;
}

/** A worker's resources for a game: threads that share a table, and its snapshots. */
export class Engine {
  readonly game: Game;
  /** The size of the table in bytes. */
  readonly memory: number;
  readonly #pool: LocalPool;
  readonly #snapshots: Snapshots;

  private constructor(game: Game, memory: number, pool: LocalPool, snapshots: Snapshots) {
    this.game = game;
    this.memory = memory;
    this.#pool = pool;
    this.#snapshots = snapshots;
  }

  /**
   * Creates a table, and loads the bounds that earlier runs of this worker saved into it.
   *
   * @param leaving ends the loading, which can take minutes: the promise rejects with its reason
   */
  static async start(game: Game, options: EngineOptions, leaving: AbortSignal): Promise<Engine> {
    const { threads, databaseFile } = options;
    const memory = options.memory(game);
    const pool = new LocalPool(game, { workers: threads, memory });
    try {
      const snapshotFile = snapshotFileOf(databaseFile, game);
      using database = Database.open(databaseFile);
      const sources = { bounds: database.bounds(game), snapshotFile };
      const { batches } = await warmTable(pool, game, sources, () => leaving.throwIfAborted());
      const snapshots = pool.keep(batches, {
        databaseFile,
        snapshotFile,
        every: options.snapshotEvery,
        effort: options.snapshotEffort,
      });
      return new Engine(game, memory, pool, snapshots);
    } catch (error) {
      await pool[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Answers a question; `undefined` if it was stopped. */
  ask(question: Question, limits: AskLimits): Promise<Bound | undefined> {
    return this.#pool.ask(question, limits);
  }

  get counts() {
    return this.#pool.counts();
  }

  /** Saves the table, and frees everything. No search may be running. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.#snapshots.finish({ boundsOnly: false });
    } finally {
      await this.#pool[Symbol.asyncDispose]();
    }
  }
}
