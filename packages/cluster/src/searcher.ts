/*
 * This file exceeds 350 lines because jobs, the question and the engine that they share follow one
 * another in one loop.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Bound, parseBoard } from "@gridlock/game";
import { allNodes, hasKernel, type NodeCounts } from "@gridlock/kernel";
import type { RunMessage, SharedCounts, WorkerMessage } from "@gridlock/schemas/cluster";
import { proveStart, type Question } from "@gridlock/solver";
import type { BoundEntry } from "@gridlock/store";
import type { Logger } from "pino";
import { Engine, type EngineOptions } from "./engine.js";
import { ClusterError } from "./errors.js";
import { NOTHING_SHARED } from "./link.js";
import { gameNamed, readQuestion, writeBound } from "./messages.js";
import { MEASURE_MS, MOST_SEARCH_FAILURES, SEARCH_RETRY_MS } from "./timing.js";

const NO_NODES: NodeCounts = { positions: 0, afterstates: 0 };

/**
 * Nodes of the first question after which a worker that joins asks for the table of another one:
 * some seconds.
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
  /** Called with the answer to a question of the run; aim at the next one. */
  onAnswer(question: Question, bound: Bound): void;
  /** Called if the worker can no longer search. */
  onFailure(error: Error): void;
}

/** The question of a run. */
interface OpenQuestion extends Task {
  readonly id: string;
  /** True once it has been searched: after each job, it is searched again. */
  isKnown?: boolean;
}

/** A job that a worker has taken from the queue. */
interface Job {
  readonly task: Task;
  readonly signal: AbortSignal;
  /** Does the job until the signal is aborted. */
  work(engine: Engine, signal: AbortSignal): Promise<void>;
  /** Called when it has ended or, without a reason, when it was stopped. */
  end(error?: unknown): void;
}

/**
 * Does the jobs that it is given, one after another with all threads, and meanwhile searches the
 * question of the run. Its engine is made when it is first needed, and replaced for another game.
 */
export class Searcher implements AsyncDisposable {
  readonly #options: SearcherOptions;
  readonly #leaving = new AbortController();
  #engine: Engine | undefined;
  /** The game of the engine; see {@link gameKeyOf}. */
  #game = "";
  #question: OpenQuestion | undefined;
  /** The job that is being done, and those that wait. */
  readonly #jobs: Job[] = [];
  /** Ends what is being done. */
  #stop = new AbortController();
  #isBusy = false;
  #last: Promise<void> = Promise.resolve();
  #failures = 0;
  /** Nodes of this run by earlier engines, less those that the engine searched before it. */
  #more = NO_NODES;
  #measured = { nodes: 0, sent: 0, at: performance.now(), nodesPerSecond: 0, boundsPerSecond: 0 };

  constructor(options: SearcherOptions) {
    this.#options = options;
  }

  /** The id of the question that is searched while there is no job. */
  get question(): string | undefined {
    return this.#question?.question.id;
  }

  /** The subtree or start of the job that is being done. */
  get job(): Task["question"] | undefined {
    return this.#jobs[0]?.task.question;
  }

  /** Searches this question, or none, while there is no job; stops the search of another one. */
  aim(task: Task | undefined): void {
    // A search is begun again, from what the table knows, when the first other worker joins or the
    // last one leaves.
    const id = task && [task.run.run, task.question.id, isTogether(task)].join();
    if (task) this.#share(task);
    if (id === this.#question?.id) return;
    this.#question = task && id ? { ...task, id } : undefined;
    if (this.#jobs.length === 0) this.#stop.abort();
    this.#begin();
  }

  /**
   * Searches a subtree, after the jobs that were given before.
   *
   * @param budget the most nodes to expand
   * @returns its bound, or none if the budget was spent or the search was stopped
   * @throws the error of a search that has failed; the next one makes a new table
   */
  async search(subtree: Task, budget: number, signal: AbortSignal): Promise<BoundEntry[]> {
    const { threshold: _, ...node } = readQuestion(gameNamed(subtree.run), subtree.question);
    let bound: Bound | undefined;
    await this.#do(subtree, signal, async (engine, stop) => {
      bound = await this.#searchOnce(subtree, engine, stop, budget);
    });
    return bound ? [{ ...node, ...bound }] : [];
  }

  /** Proves a line of best play from a start that is worth the threshold; see `proveStart`. */
  async prove(start: Task, signal: AbortSignal): Promise<BoundEntry[]> {
    const game = gameNamed(start.run);
    const { board, threshold: value } = start.question;
    const solved = { ...parseBoard(board), bound: { lo: value, hi: value } };
    let proven: BoundEntry[] = [];
    await this.#do(start, signal, async ({ pool }) => {
      proven = proveStart(game, solved, pool.kernel);
    });
    return proven;
  }

  #do(task: Task, signal: AbortSignal, work: Job["work"]): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (error?: unknown) => (error === undefined ? resolve() : reject(error as Error));
      this.#jobs.push({ task, signal, work, end });
      if (this.#jobs.length === 1) this.#stop.abort(); // the question waits
      this.#begin();
    });
  }

  #begin(): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#last = this.#goOn();
  }

  /** Does all jobs, and searches the question unless it is answered. */
  async #goOn(): Promise<void> {
    for (;;) {
      const [job] = this.#jobs;
      const question = this.#question;
      this.#stop = new AbortController();
      if (job) await this.#doJob(job);
      else if (question && !this.#leaving.signal.aborted) {
        await this.#searchQuestion(question);
      } else break;
    }
    this.#isBusy = false;
  }

  async #doJob(job: Job): Promise<void> {
    const stop = this.#stop;
    const onCancel = () => stop.abort();
    job.signal.addEventListener("abort", onCancel, { once: true });
    if (job.signal.aborted) onCancel();
    try {
      await this.#attempt(job.task, stop.signal, job.work);
      job.end();
    } catch (error) {
      job.end(error);
    } finally {
      job.signal.removeEventListener("abort", onCancel);
      this.#jobs.shift();
    }
  }

  async #searchQuestion(question: OpenQuestion): Promise<void> {
    const { log, onAnswer } = this.#options;
    const { signal } = this.#stop;
    try {
      let bound: Bound | undefined;
      await this.#attempt(question, signal, async (engine) => {
        bound = await this.#searchOnce(question, engine, signal);
        question.isKnown = true;
      });
      if (!bound) {
        if (signal.aborted || this.#leaving.signal.aborted) return;
        await this.#drop(); // throws the reason, if its snapshots have failed
        throw new Error("the search went deeper than the stack of a thread allows");
      }
      if (question === this.#question) this.#question = undefined;
      onAnswer(readQuestion(gameNamed(question.run), question.question), bound);
    } catch (error) {
      if (this.#leaving.signal.aborted) return;
      log.warn({ error: (error as Error).message }, "a search failed; trying again");
      await sleep(SEARCH_RETRY_MS);
    }
  }

  /** Shares bounds with the workers that the run gives this one. */
  #share({ run, place }: Task): void {
    if (this.#engine && this.#game === gameKeyOf(run)) {
      const isLate = run.questions > 0 || allNodes(run.counts) >= LATE_NODES;
      this.#engine.link.share({ run: run.run, peers: place.peers, isLate });
    }
  }

  /**
   * Does something with the engine, once, unless it is to stop.
   *
   * @throws the error of a search that has failed, after which the table is made anew
   */
  async #attempt(task: Task, signal: AbortSignal, work: Job["work"]): Promise<void> {
    let engine: Engine | undefined;
    if (signal.aborted || this.#leaving.signal.aborted) return;
    try {
      engine = await this.#engineFor(task);
      this.#share(task);
      if (!signal.aborted && !this.#leaving.signal.aborted) await work(engine, signal);
      this.#failures = 0;
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

  /** Searches a question with all threads: a subtree, if there is a budget. */
  async #searchOnce(
    { run, place, question, isKnown }: Task & Partial<OpenQuestion>,
    engine: Engine,
    signal: AbortSignal,
    budget?: number,
  ): Promise<Bound | undefined> {
    const { log } = this.#options;
    const asked: Question = readQuestion(gameNamed(run), question);
    const began = performance.now();
    // There are hundreds of subtrees a second.
    const level = budget === undefined && !isKnown ? "info" : "debug";
    log[level]({ question: question.id, order: place.order }, "searching");
    const company = { together: place.peers.length > 0, order: place.order };
    const bound = await engine.pool.ask(asked, { ...company, signal, budget });
    const seconds = Math.round(performance.now() - began) / 1000;
    const found = { question: question.id, bound: bound ? writeBound(bound) : null, seconds };
    log[bound && budget === undefined ? "info" : level](found, "done");
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
    this.#measured.nodes -= allNodes(this.counts);
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

  /** The nodes searched and the bounds sent per second, measured at most twice a second. */
  get rates(): Pick<WorkerMessage, "nodesPerSecond" | "boundsPerSecond"> {
    const now = performance.now();
    const { at, ...before } = this.#measured;
    if (now - at >= MEASURE_MS) {
      const nodes = allNodes(this.counts);
      const { sent } = this.shared;
      const perSecond = (count: number) => Math.max(0, (1000 * count) / (now - at));
      const nodesPerSecond = perSecond(nodes - before.nodes);
      const boundsPerSecond = perSecond(sent - before.sent);
      this.#measured = { nodes, sent, at: now, nodesPerSecond, boundsPerSecond };
    }
    const { nodesPerSecond, boundsPerSecond } = this.#measured;
    return { nodesPerSecond, boundsPerSecond };
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
    this.#stop.abort();
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

/** Returns a text for the game of a run, by which games can be compared. */
function gameKeyOf({ shape, tiles }: RunMessage): string {
  return `${shape} ${tiles}`;
}
