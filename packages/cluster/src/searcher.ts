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

/** A worker's place in a run. */
interface Place {
  /** Number of the worker's own order of children; 0, the common order, for the first one. */
  readonly order: number;
  /** The other workers, with which it shares bounds. */
  readonly peers: readonly string[];
}

/** A question of a run, for a worker with a place in it. */
export interface Task {
  readonly run: RunMessage;
  readonly place: Place;
  readonly question: NonNullable<RunMessage["question"]>;
}

/** Returns the place of a worker, once the coordinator has given it one. */
export function placeIn({ workers }: RunMessage, name: string): Place | undefined {
  const order = workers.indexOf(name);
  return order < 0 ? undefined : { order, peers: workers.filter((other) => other !== name) };
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

/** The question of a run, which a worker searches while it has no subtree. */
export interface Search extends Task {
  readonly id: string;
  /** Ends the search under way: for ever, or until a subtree has been searched. */
  abort: AbortController;
  /** The answer, once it is found. */
  bound?: Bound;
}

/**
 * Searches the subtrees that it is given, one at a time with all threads, and meanwhile the question of the
 * run. Its engine is made when it is first needed, and replaced for another game.
 */
export class Searcher implements AsyncDisposable {
  readonly #options: SearcherOptions;
  readonly #leaving = new AbortController();
  #engine: Engine | undefined;
  /** The use of the engine; see {@link useOf}. */
  #use = "";
  #search: Search | undefined;
  /** The subtree under search. */
  #subtree: Task | undefined;
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

  /** The subtree under search. */
  get subtree(): Task["question"] | undefined {
    return this.#subtree?.question;
  }

  /** Searches this question from now on, or none, between subtrees; the search of another one is stopped. */
  aim(task: Task | undefined): void {
    // A search is begun again, from what the table knows, when the first other worker joins or the last one leaves.
    const id = task && [task.run.run, task.question.id, isTogether(task)].join();
    if (task) this.#share(task);
    if (id === this.#search?.id) return;
    this.#search?.abort.abort();
    this.#search = undefined;
    if (!task || !id) return;
    this.#search = { ...task, id, abort: new AbortController() };
    this.#resume();
  }

  /** Searches the question of the run, unless it is answered or there is a subtree. */
  #resume(): void {
    const search = this.#search;
    if (!search || search.bound || this.#subtree || this.#leaving.signal.aborted) return;
    const abort = new AbortController();
    search.abort = abort;
    this.#last = this.#last.then(() => this.#run(search, abort.signal));
  }

  /**
   * Searches a subtree at once.
   *
   * @param budget the most nodes to expand
   * @returns its bound, or `undefined` if the budget was spent or the search was stopped
   * @throws the error of a search that has failed; the next one makes a new table
   */
  async take(subtree: Task, budget: number, signal: AbortSignal): Promise<Bound | undefined> {
    this.#search?.abort.abort();
    this.#subtree = subtree;
    const stop = AbortSignal.any([signal, this.#leaving.signal]);
    const searched = this.#last.then(() => this.#attempt(subtree, stop, budget));
    this.#last = searched.then(
      () => {},
      () => {},
    );
    try {
      return await searched;
    } finally {
      this.#subtree = undefined;
      this.#resume();
    }
  }

  /** Shares bounds with the workers that the run gives this one. */
  #share({ run, place }: Task): void {
    if (this.#engine && this.#use === useOf(run)) {
      const { positions, afterstates } = run.counts;
      const isLate = run.questions > 0 || positions + afterstates >= LATE_NODES;
      this.#engine.link.share({ run: run.run, peers: place.peers, isLate });
    }
  }

  async #run(search: Search, signal: AbortSignal): Promise<void> {
    const { log, onAnswer } = this.#options;
    while (!signal.aborted && !this.#leaving.signal.aborted) {
      try {
        const bound = await this.#attempt(search, signal);
        if (signal.aborted || this.#leaving.signal.aborted) return;
        if (!bound) {
          await this.#drop(); // throws the reason, if its snapshots have failed
          throw new Error("the search went deeper than the stack of a thread allows");
        }
        search.bound = bound;
        return onAnswer();
      } catch (error) {
        if (this.#leaving.signal.aborted) return;
        log.warn({ error: (error as Error).message }, "a search failed; trying again");
        await sleep(SEARCH_RETRY_MS);
      }
    }
  }

  /**
   * Searches a question with all threads, once.
   *
   * @throws the error of a search that has failed, after which the table is made anew
   */
  async #attempt(task: Task, signal: AbortSignal, budget?: number): Promise<Bound | undefined> {
    let engine: Engine | undefined;
    if (signal.aborted) return undefined;
    try {
      engine = await this.#engineFor(task);
      const bound = await this.#searchOnce(task, engine, signal, budget);
      this.#failures = 0;
      return bound;
    } catch (error) {
      const isFinal = error instanceof ClusterError || ++this.#failures >= MOST_SEARCH_FAILURES;
      // A pool with a failed thread is no longer usable.
      await this.#drop().catch(() => {});
      if ((isFinal || !engine) && !this.#leaving.signal.aborted) {
        this.#options.onFailure(error as Error);
      }
      throw error;
    }
  }

  async #searchOnce(
    task: Task,
    engine: Engine,
    signal: AbortSignal,
    budget: number | undefined,
  ): Promise<Bound | undefined> {
    const { log } = this.#options;
    const { run, place, question } = task;
    this.#share(task);
    if (signal.aborted) return undefined;
    const asked: Question = readQuestion(gameNamed(run), question);
    const began = performance.now();
    // There are hundreds of subtrees a second.
    const level = budget === undefined ? "info" : "debug";
    log[level]({ question: question.id, order: place.order }, "searching");
    const company = { together: isTogether(task), order: place.order };
    const bound = await engine.pool.ask(asked, { ...company, signal, budget });
    const seconds = Math.round(performance.now() - began) / 1000;
    log[level]({ question: question.id, bound: bound ? writeBound(bound) : null, seconds }, "done");
    return bound;
  }

  /** Returns the engine for a task. */
  async #engineFor({ run }: Task): Promise<Engine> {
    const use = useOf(run);
    if (this.#engine && this.#use === use) return this.#engine;
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
    this.#use = use;
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
function isTogether({ place }: Task): boolean {
  return place.peers.length > 0;
}

/** Returns what an engine may be used for: a game. */
function useOf({ shape, tiles }: RunMessage): string {
  return `${shape} ${tiles}`;
}
