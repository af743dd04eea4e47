import { setTimeout as sleep } from "node:timers/promises";
import type { Bound } from "@gridlock/game";
import { hasKernel, type NodeCounts } from "@gridlock/kernel";
import type { RunMessage, SharedCounts } from "@gridlock/schemas/cluster";
import type { Question } from "@gridlock/solver";
import type { Logger } from "pino";
import { Engine, type EngineOptions } from "./engine.js";
import { ClusterError } from "./errors.js";
import { NOTHING_SHARED } from "./link.js";
import { gameNamed, readQuestion, writeBound } from "./messages.js";
import { MEASURE_MS, MOST_SEARCH_FAILURES, SEARCH_RETRY_MS } from "./timing.js";

const NO_NODES: NodeCounts = { positions: 0, afterstates: 0 };

/**
 * Nodes of the first question after which a worker that joins asks for the table of another one: some
 * seconds.
 */
const LATE_NODES = 2_000_000;

/** A question of a run, for one of its workers. */
export interface Task {
  readonly run: RunMessage;
  /** Number of the worker's own order of children; 0, the common order, for the first worker of a run. */
  readonly order: number;
  /** The other workers. */
  readonly peers: readonly string[];
  readonly question: NonNullable<RunMessage["question"]>;
}

/** Options of a searcher. */
export interface SearcherOptions extends EngineOptions {
  /** The worker's name. */
  readonly name: string;
  readonly log: Logger;
  onAnswer(): void;
  /** Called if the worker can no longer search. */
  onFailure(error: Error): void;
}

/** A task under way. */
export interface Search extends Task {
  readonly id: string;
  readonly abort: AbortController;
  /** The answer, once it is found. */
  bound?: Bound;
}

/**
 * Searches the question of a run, one at a time with all threads. Its engine is made when it is
 * first needed, and replaced for another game.
 */
export class Searcher implements AsyncDisposable {
  readonly #options: SearcherOptions;
  readonly #leaving = new AbortController();
  #engine: Engine | undefined;
  /** The game of the engine; see {@link gameKeyOf}. */
  #game = "";
  #search: Search | undefined;
  #last: Promise<void> = Promise.resolve();
  #failures = 0;
  /** Nodes searched in this run by earlier engines, less those that the engine searched before it. */
  #more = NO_NODES;
  #measured = { nodes: 0, at: performance.now(), rate: 0 };

  constructor(options: SearcherOptions) {
    this.#options = options;
  }

  /** The search of the question that was last aimed at. */
  get search(): Search | undefined {
    return this.#search;
  }

  /** Searches this question from now on, or none; the search of another one is stopped. */
  aim(task: Task | undefined): void {
    // A search is begun again, from what the table knows, when the first other worker joins or the last one leaves.
    const id = task && [task.run.run, task.question.id, isTogether(task)].join();
    if (task) this.#share(task);
    if (id === this.#search?.id) return;
    this.#search?.abort.abort();
    this.#search = undefined;
    if (!task || !id) return;
    const search: Search = { ...task, id, abort: new AbortController() };
    this.#search = search;
    this.#last = this.#last.then(() => this.#run(search));
  }

  /** Shares bounds with the workers that the run gives this one. */
  #share({ run, peers }: Task): void {
    if (this.#engine && this.#game === gameKeyOf(run)) {
      const { positions, afterstates } = run.counts;
      const isLate = run.questions > 0 || positions + afterstates >= LATE_NODES;
      this.#engine.link.share({ run: run.run, peers, isLate });
    }
  }

  async #run(search: Search): Promise<void> {
    const { log, onAnswer, onFailure } = this.#options;
    const { signal } = search.abort;
    while (!signal.aborted && !this.#leaving.signal.aborted) {
      let engine: Engine | undefined;
      try {
        engine = await this.#engineFor(search);
        const bound = await this.#searchOnce(search, engine);
        if (signal.aborted || this.#leaving.signal.aborted) return;
        if (!bound) {
          await this.#drop(); // throws the reason, if its snapshots have failed
          throw new Error("the search went deeper than the stack of a thread allows");
        }
        this.#failures = 0;
        search.bound = bound;
        return onAnswer();
      } catch (error) {
        if (this.#leaving.signal.aborted) return;
        const isFinal = error instanceof ClusterError || ++this.#failures >= MOST_SEARCH_FAILURES;
        // A pool with a failed thread is no longer usable.
        await this.#drop().catch(() => {});
        if (isFinal || !engine) return onFailure(error as Error);
        log.warn({ error: (error as Error).message }, "a search failed; trying again");
        await sleep(SEARCH_RETRY_MS);
      }
    }
  }

  async #searchOnce(search: Search, engine: Engine): Promise<Bound | undefined> {
    const { log } = this.#options;
    const { run, order, question, abort } = search;
    this.#share(search);
    if (abort.signal.aborted) return undefined;
    const asked: Question = readQuestion(gameNamed(run), question);
    const began = performance.now();
    log.info({ question: question.id, order }, "searching");
    const company = { together: isTogether(search), order };
    const bound = await engine.pool.ask(asked, { ...company, signal: abort.signal });
    const seconds = Math.round(performance.now() - began) / 1000;
    log.info({ question: question.id, bound: bound ? writeBound(bound) : null, seconds }, "done");
    return bound;
  }

  /** Returns the engine for a task. */
  async #engineFor({ run }: Task): Promise<Engine> {
    const key = gameKeyOf(run);
    if (this.#engine && this.#game === key) return this.#engine;
    await this.#drop();
    const game = gameNamed(run);
    if (!hasKernel(game.shape)) {
      throw new ClusterError("job", `this version cannot search boards of ${run.shape}`);
    }
    const { log, threads, name } = this.#options;
    log.info({ shape: run.shape, threads }, "loading the table that earlier runs saved");
    const { signal } = this.#leaving;
    const engine = await Engine.start({ game, worker: name }, this.#options, signal);
    log.info({ shape: run.shape, threads }, "table ready");
    this.#game = key;
    this.#engine = engine;
    return engine;
  }

  /** Saves and frees the table. No search may be running. */
  async #drop(): Promise<void> {
    const engine = this.#engine;
    if (!engine) return;
    this.#more = this.counts;
    this.#engine = undefined;
    await engine[Symbol.asyncDispose]();
  }

  /** Counts nodes from 0 for a new run. */
  beginRun(): void {
    const { positions, afterstates } = this.counts;
    this.#measured.nodes -= positions + afterstates;
    this.#more = {
      positions: this.#more.positions - positions,
      afterstates: this.#more.afterstates - afterstates,
    };
  }

  /** The nodes that this worker has searched in this run. */
  get counts(): NodeCounts {
    const { positions, afterstates } = this.#engine?.pool.counts() ?? NO_NODES;
    return {
      positions: this.#more.positions + positions,
      afterstates: this.#more.afterstates + afterstates,
    };
  }

  /** The nodes searched per second, measured at most twice a second. */
  get rate(): number {
    const now = performance.now();
    const { at, nodes: before } = this.#measured;
    if (now - at < MEASURE_MS) return this.#measured.rate;
    const { positions, afterstates } = this.counts;
    const nodes = positions + afterstates;
    const rate = Math.max(0, (1000 * (nodes - before)) / (now - at));
    this.#measured = { nodes, at: now, rate };
    return rate;
  }

  /** The size of the table in bytes. */
  get memory(): number {
    return this.#engine?.memory ?? 0;
  }

  get shared(): SharedCounts {
    return this.#engine?.link.counts ?? NOTHING_SHARED;
  }

  /** Stops the search under way, and begins no other. */
  leave(): void {
    this.#leaving.abort();
    this.#search?.abort.abort();
  }

  /** Stops, saves and frees everything. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.leave();
    await this.#last;
    await this.#drop();
  }
}

/** Returns whether other workers search a task too. */
function isTogether({ peers }: Task): boolean {
  return peers.length > 0;
}

/** Returns a text for the game of a run, by which games can be compared. */
function gameKeyOf({ shape, tiles }: RunMessage): string {
  return `${shape} ${tiles}`;
}
