import { hasKernel, type NodeCounts } from "@gridlock/kernel";
import { UnrecoverableError } from "bullmq";
import type { Logger } from "pino";
import { Engine, type EngineOptions } from "./engine.js";
import { NOTHING_SHARED } from "./link.js";
import { BEAT_MS, gameNamed, type RunMessage, type SharedCounts } from "./messages.js";
import type { RedisOptions } from "./redis-options.js";

const NO_NODES: NodeCounts = { positions: 0, afterstates: 0 };

export interface EngineKeeperOptions extends EngineOptions {
  readonly redis: RedisOptions;
  readonly log: Logger;
}

/** A worker's engine: made when it is first needed, and replaced for another game or epoch. */
export class EngineKeeper {
  readonly #options: EngineKeeperOptions;
  readonly #name: string;
  readonly #onFailure: (error: Error) => void;
  #engine: Engine | undefined;
  /** Nodes searched by earlier engines, and before this run. */
  #past = NO_NODES;
  #before = NO_NODES;
  #last = { nodes: 0, at: performance.now(), rate: 0 };

  /**
   * @param name the worker's name
   * @param onFailure called when an engine's link fails
   */
  constructor(options: EngineKeeperOptions, name: string, onFailure: (error: Error) => void) {
    this.#options = options;
    this.#name = name;
    this.#onFailure = onFailure;
  }

  /**
   * Returns the engine for a run's game, with a table whose bounds can be trusted.
   *
   * @throws {UnrecoverableError} if this version cannot search the shape
   * @throws the error that prevents the search, such as a lack of memory
   */
  async engineFor(run: RunMessage): Promise<Engine> {
    const game = gameNamed(run);
    const engine = this.#engine;
    if (engine && engine.epoch === run.epoch && engine.isFor(game, run.sharing)) {
      engine.run = run.run;
      return engine;
    }
    await this.drop(true);
    if (!hasKernel(game.shape)) {
      throw new UnrecoverableError(`this version cannot search boards of ${run.shape}`);
    }
    const { redis, log, threads } = this.#options;
    const machine = { redis, name: this.#name, shutOut: run.shutOut };
    this.#engine = await Engine.start(game, run, this.#options, machine, this.#onFailure);
    log.info({ shape: run.shape, threads }, "table ready");
    return this.#engine;
  }

  /** Returns whether the table is older than the run's last shut-out, so that it may hold false bounds. */
  isDoubtful(run: RunMessage): boolean {
    return this.#engine?.run === run.run && this.#engine.epoch !== run.epoch;
  }

  /**
   * Closes the engine. No search may be running.
   *
   * @param keep true to save the table, false to delete everything that this worker has saved for the game
   */
  async drop(keep: boolean): Promise<void> {
    const engine = this.#engine;
    if (!engine) return;
    this.#past = this.#total();
    this.#engine = undefined;
    await engine.close(keep);
  }

  /** Counts nodes from 0 for a new run. */
  beginRun(): void {
    this.#before = this.#total();
  }

  /** All nodes that this worker has searched. */
  #total(): NodeCounts {
    const { positions, afterstates } = this.#engine?.counts ?? NO_NODES;
    return {
      positions: this.#past.positions + positions,
      afterstates: this.#past.afterstates + afterstates,
    };
  }

  /** The nodes that this worker has searched in this run. */
  get counts(): NodeCounts {
    const { positions, afterstates } = this.#total();
    return {
      positions: positions - this.#before.positions,
      afterstates: afterstates - this.#before.afterstates,
    };
  }

  /** The nodes searched in a second, as last measured. */
  get rate(): number {
    return this.#last.rate;
  }

  /** Measures the rate, unless it was measured within the last half second. */
  measureRate(): void {
    const now = performance.now();
    if (now - this.#last.at < BEAT_MS / 2) return;
    const { positions, afterstates } = this.#total();
    const nodes = positions + afterstates;
    const rate = Math.max(0, (1000 * (nodes - this.#last.nodes)) / (now - this.#last.at));
    this.#last = { nodes, at: now, rate };
  }

  /** The bytes of the table. */
  get memory(): number {
    return this.#engine ? this.#options.memory(this.#engine.game) : 0;
  }

  /** The bounds exchanged with other machines. */
  get shared(): SharedCounts {
    return this.#engine?.shared ?? NOTHING_SHARED;
  }

  /** Saves and frees the table. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.drop(true);
  }
}
