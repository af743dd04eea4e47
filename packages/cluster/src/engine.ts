import { createHash } from "node:crypto";
import type { Bound, Game } from "@gridlock/game";
import {
  type AskLimits,
  LocalPool,
  type Question,
  type Snapshots,
  warmTable,
} from "@gridlock/solver";
import { clearSnapshot, Database, snapshotFileOf } from "@gridlock/store";

import { Link } from "./link.js";
import { nameGame, type RunMessage, type SharedCounts, type Sharing } from "./messages.js";
import type { RedisOptions } from "./redis-options.js";

/** The resources that a worker searches with. */
export interface EngineOptions {
  readonly threads: number;
  /** Returns the bytes to use for a game's table. */
  memory(game: Game): number;
  /** The database for the bounds that cost most; the table's snapshot is stored beside it. */
  readonly databaseFile: string;
  readonly snapshotEvery: number;
  readonly snapshotEffort: number;
}

/** A worker's resources for a game: threads that share a table, its snapshots, and the link to other machines. */
export class Engine {
  readonly game: Game;
  /** The run that the engine belongs to, and the run's epoch in which the table was made. */
  run: string;
  readonly epoch: number;
  readonly #sharing: Sharing;
  readonly #options: EngineOptions;
  readonly #pool: LocalPool;
  readonly #link: Link;
  readonly #snapshots: Snapshots;
  readonly #tieSeed: bigint;

  private constructor(
    game: Game,
    { run, epoch, sharing }: RunMessage,
    options: EngineOptions,
    pool: LocalPool,
    link: Link,
    snapshots: Snapshots,
    tieSeed: bigint,
  ) {
    this.game = game;
    this.run = run;
    this.epoch = epoch;
    this.#sharing = sharing;
    this.#options = options;
    this.#pool = pool;
    this.#link = link;
    this.#snapshots = snapshots;
    this.#tieSeed = tieSeed;
  }

  /** Makes a table, and loads into it the bounds that earlier runs of this worker saved. */
  static async start(
    game: Game,
    run: RunMessage,
    options: EngineOptions,
    machine: { redis: RedisOptions; name: string; shutOut: readonly string[] },
    onError: (error: Error) => void,
  ): Promise<Engine> {
    const { threads, databaseFile } = options;
    const { sharing, epoch } = run;
    const shares = sharing.share !== null;
    const pool = new LocalPool(game, {
      workers: threads,
      memory: options.memory(game),
      search: shares ? { together: true } : {},
    });
    try {
      await pool.touch(); // a worker's table is sized for the bounds that it will hold
      const snapshotFile = snapshotFileOf(databaseFile, game);
      using database = Database.open(databaseFile);
      const sources = { bounds: database.bounds(game), snapshotFile };
      const { batches } = await warmTable(pool, game, sources);
      const snapshots = pool.keep(batches, {
        databaseFile,
        snapshotFile,
        every: options.snapshotEvery,
        effort: options.snapshotEffort,
      });
      const link = new Link({ ...machine, ...pool.sharing, sharing, epoch }, onError);
      const tieSeed = tieSeedOf(machine.name);
      return new Engine(game, run, options, pool, link, snapshots, tieSeed);
    } catch (error) {
      await pool[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Returns whether the engine can be used for a game with these sharing settings. */
  isFor(game: Game, sharing: Sharing): boolean {
    const mine = [nameGame(this.game), this.#sharing];
    return JSON.stringify(mine) === JSON.stringify([nameGame(game), sharing]);
  }

  /**
   * Answers a question, or helps to. Machines that search a question in the same order would do the same work at the
   * same time. So each uses its own order, except the machine whose question it is: it uses the usual order, the best.
   */
  ask(question: Question, limits: AskLimits, isMine: boolean): Promise<Bound | undefined> {
    return this.#pool.ask(question, isMine ? limits : { ...limits, tieSeed: this.#tieSeed });
  }

  /** Proves an answer again from scratch, in a separate table that is not shared. */
  async askAfresh(question: Question, limits: AskLimits): Promise<Bound | undefined> {
    await using pool = new LocalPool(this.game, {
      workers: this.#options.threads,
      memory: this.#options.memory(this.game),
    });
    return await pool.ask(question, limits);
  }

  get counts() {
    return this.#pool.counts();
  }

  get shared(): SharedCounts {
    return this.#link.counts;
  }

  /**
   * Frees everything. No search may be running.
   *
   * @param keep true to save the table first, false to delete all saved bounds of the game
   */
  async close(keep: boolean): Promise<void> {
    try {
      await this.#link.close();
      if (keep) await this.#snapshots.finish({ skipNew: false });
    } finally {
      await this.#pool[Symbol.asyncDispose]();
    }
    if (!keep) forget(this.game, this.#options.databaseFile);
  }
}

/** Deletes everything that a worker has saved for a game. */
function forget(game: Game, databaseFile: string): void {
  clearSnapshot(snapshotFileOf(databaseFile, game));
  using database = Database.open(databaseFile);
  database.forget(game);
}

/** Returns an odd number that is different for every worker. */
function tieSeedOf(name: string): bigint {
  return createHash("sha256").update(name).digest().readBigUInt64LE() | 1n;
}
