import { hasKernel, type NodeCounts } from "@gridlock/kernel";
import type { Logger } from "pino";
import { Engine, type EngineOptions } from "./engine.js";
import { UnrecoverableError } from "./libraries.js";
import { BEAT_MS, gameNamed, nameGame, type RunMessage } from "./messages.js";

const NO_NODES: NodeCounts = { positions: 0, afterstates: 0 };

export interface EngineKeeperOptions extends EngineOptions {
  readonly log: Logger;
}

/** A worker's engine: created when it is first needed, and replaced for another game. */
export class EngineKeeper implements AsyncDisposable {
  readonly #options: EngineKeeperOptions;
  #engine: Engine | undefined;
  /** Nodes searched by earlier engines, and before this run. */
  #past = NO_NODES;
  #before = NO_NODES;
  #last = { nodes: 0, at: performance.now(), rate: 0 };

  constructor(options: EngineKeeperOptions) {
    this.#options = options;
  }

  /**
   * Returns the engine for a run's game.
   *
   * @param leaving ends the loading of a table: the promise rejects with its reason
   * @throws {UnrecoverableError} if this version cannot search the shape
   * @throws the error that prevents the search, such as a lack of memory
   */
  async engineFor(run: RunMessage, leaving: AbortSignal): Promise<Engine> {
    const game = gameNamed(run);
    if (this.#engine && isSame(this.#engine, run)) return this.#engine;
    await this.drop();
    if (!hasKernel(game.shape)) {
      throw new UnrecoverableError(`this version cannot search boards of ${run.shape}`);
    }
    const { log, threads } = this.#options;
    log.info({ shape: run.shape, threads }, "loading the table that earlier runs saved");
    this.#engine = await Engine.start(game, this.#options, leaving);
    log.info({ shape: run.shape, threads }, "table ready");
    return this.#engine;
  }

  /** Saves and frees the table. No search may be running. */
  async drop(): Promise<void> {
    const engine = this.#engine;
    if (!engine) return;
    this.#past = this.#total();
    this.#engine = undefined;
    await engine[Symbol.asyncDispose]();
  }

  /** Counts nodes from 0 for a new run. */
  beginRun(): void {
    this.#before = this.#total();
  }

  /** Returns the nodes that this worker has searched in all runs. */
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

  /** The nodes searched per second, as last measured. */
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

  /** The size of the table in bytes. */
  get memory(): number {
    return this.#engine?.memory ?? 0;
  }

  /** Saves and frees the table. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.drop();
  }
}

function isSame({ game }: Engine, run: RunMessage): boolean {
  const { shape, tiles } = nameGame(game);
  return shape === run.shape && tiles === run.tiles;
}
