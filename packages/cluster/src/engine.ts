import { MessageChannel } from "node:worker_threads";
import type { Game } from "@gridlock/game";
import { LocalPool, loadSnapshot, type Snapshots } from "@gridlock/solver";
import { claimsFileOf } from "@gridlock/store";
import { Link } from "./link.js";
import type { RedisOptions } from "./redis-options.js";

/** The resources that a worker searches with. */
export interface EngineOptions {
  readonly redis: RedisOptions;
  readonly threads: number;
  /** Returns the bytes to use for a game's table, by the memory that is free now. */
  memory(game: Game): number;
  /** The database beside which the table's snapshot is stored. */
  readonly databaseFile: string;
  readonly snapshotEvery: number;
  /** Most bytes of bounds a second to pass on. */
  readonly shareRate: number;
}

/** The worker and the game that an engine searches for. */
export interface EngineUse {
  readonly game: Game;
  /** The worker's name. */
  readonly worker: string;
}

/**
 * A worker's resources for a game: threads that share a table, its snapshots, and the exchange of
 * bounds with other workers.
 */
export class Engine implements AsyncDisposable {
  private constructor(
    /** The size of the table in bytes. */
    readonly memory: number,
    readonly pool: LocalPool,
    readonly link: Link,
    private readonly snapshots: Snapshots,
  ) {}

  /**
   * Creates a table, and loads the bounds that earlier runs of this worker saved into it.
   *
   * @param leaving ends the loading, which can take minutes: the promise rejects with its reason
   */
  static async start(
    { game, worker }: EngineUse,
    options: EngineOptions,
    leaving: AbortSignal,
  ): Promise<Engine> {
    const { redis, threads, databaseFile, shareRate, snapshotEvery: every } = options;
    const memory = options.memory(game);
    const pool = new LocalPool(game, { workers: threads, memory, linked: true });
    let link: Link | undefined;
    try {
      const { port1, port2: news } = new MessageChannel();
      link = new Link({
        redis,
        name: worker,
        table: pool.table,
        rate: shareRate,
        news: port1,
        onFailure: (error) => pool.fail(error),
      });
      const snapshotFile = claimsFileOf(databaseFile, game);
      await loadSnapshot(pool, game, snapshotFile, () => leaving.throwIfAborted());
      const snapshots = pool.startSnapshots({ databaseFile, snapshotFile, every, news });
      return new Engine(memory, pool, link, snapshots);
    } catch (error) {
      await link?.[Symbol.asyncDispose]();
      await pool[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Passes on and saves what is left, and frees everything. No search may be running. */
  async [Symbol.asyncDispose](): Promise<void> {
    await using _pool = this.pool;
    await using link = this.link;
    await link.flush();
    await this.snapshots.finish({ boundsOnly: false });
  }
}
