import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { ResultMessage, SubtreeMessage, WorkerMessage } from "@gridlock/schemas/cluster";
import { orAborted } from "@gridlock/store";
import type { Logger } from "pino";
import { atMost, connect, disconnect } from "./connection.js";
import type { EngineOptions } from "./engine.js";
import type { Redis } from "./ioredis.js";
import { type Keys, keysOf } from "./keys.js";
import { PROTOCOL, writeBound } from "./messages.js";
import type { Observed } from "./metrics.js";
import { tellNews } from "./news.js";
import { isRefusal, Reach } from "./outage.js";
import { RunWatch } from "./run-watch.js";
import { placeIn, Searcher, type Task } from "./searcher.js";
import { SubtreeTaker } from "./subtree-queue.js";
import { BEAT_MS, CLOSE_MS, GONE_MS } from "./timing.js";

/** Options of a worker process. */
export interface WorkerOptions extends EngineOptions {
  /** The version of Gridlock, for display. */
  readonly version: string;
  /** True to work for one run only. */
  readonly once: boolean;
  readonly log: Logger;
}

/**
 * A machine that works for a run: it searches subtrees with all its threads, and meanwhile the run's
 * question, and shares what it proves with the other workers.
 *
 * Open it with `await using`: disposal saves its table.
 */
export class ClusterWorker implements AsyncDisposable {
  readonly name = `${hostname()}-${process.pid}-${randomBytes(2).toString("hex")}`;
  readonly #options: WorkerOptions;
  readonly #log: Logger;
  readonly #keys: Keys;
  readonly #client: Redis;
  /** Waits for news of the run. */
  readonly #blocking: Redis;
  readonly #subtrees: SubtreeTaker;
  readonly #reach: Reach;
  readonly #watch: RunWatch;
  readonly #searcher: Searcher;
  readonly #leaving = new AbortController();
  #failure: Error | undefined;

  constructor(options: WorkerOptions) {
    const { name } = this;
    this.#options = options;
    this.#keys = keysOf(options.redis);
    this.#log = options.log.child({ worker: name });
    this.#reach = new Reach(this.#log, options.redis);
    this.#client = this.#connect("commands");
    this.#blocking = this.#connect("blocking");
    const watched = { client: this.#client, blocking: this.#blocking, keys: this.#keys };
    this.#watch = new RunWatch({ ...watched, log: this.#log });
    this.#subtrees = new SubtreeTaker({
      ...{ redis: options.redis, keys: this.#keys, log: this.#log },
      search: (id, subtree, signal) => this.#searchSubtree(id, subtree, signal),
      onRefusal: (error) => this.#tryAgain(error),
    });
    this.#searcher = new Searcher({
      ...options,
      ...{ name, log: this.#log },
      onAnswer: () => void this.#tellAnswer(),
      onFailure: (error) => this.#fail(error),
    });
  }

  #connect(use: "commands" | "blocking"): Redis {
    return connect(this.#options.redis, use, (error) => {
      this.#log.debug({ error: error.message }, "connection");
      if (isRefusal(error)) this.#tryAgain(error);
    });
  }

  /**
   * Works until `leave` is aborted or, with `once`, the run is over. Waits while the server is away.
   *
   * @throws {ClusterError} `protocol` if the coordinator is of another version
   * @throws the error that prevents the search, such as a lack of memory
   */
  async work(leave: AbortSignal): Promise<void> {
    const onLeave = () => this.#leave();
    leave.addEventListener("abort", onLeave, { once: true });
    if (leave.aborted) onLeave();
    try {
      while (!this.#leaving.signal.aborted) await this.#beat();
    } finally {
      leave.removeEventListener("abort", onLeave);
    }
    if (this.#failure) throw this.#failure;
  }

  /** Follows the run, says what this worker does, and waits for news. */
  async #beat(): Promise<void> {
    try {
      if (await this.#watch.refresh()) this.#searcher.beginRun();
      this.#reach.answered();
      if (this.#options.once && this.#watch.isOver(performance.now())) {
        this.#log.info("the run is over");
        this.#leave();
        return;
      }
      const { run } = this.#watch;
      this.#searcher.aim(this.#taskOf(run?.question));
      if (run) this.#subtrees.take();
      await this.#announce();
      this.#reach.succeeded();
      await this.#listen();
    } catch (error) {
      this.#tryAgain(error);
      await sleep(BEAT_MS, undefined, { signal: this.#leaving.signal }).catch(() => {});
    }
  }

  /** Waits until the run has changed, or until the next beat; stops subtrees that no longer matter. */
  async #listen(): Promise<void> {
    const end = performance.now() + BEAT_MS;
    for (let left = BEAT_MS; left > 0; left = end - performance.now()) {
      // ioredis drops a read whose connection was lost: without the signal, leaving would wait for ever.
      const news = await orAborted(this.#watch.news(left), this.#leaving.signal);
      for (const [about, name] of news) {
        if (about === "cancel") for (const id of name.split(" ")) this.#subtrees.cancel(id);
      }
      if (news.some(([about]) => about === "run")) return;
    }
  }

  /** Returns a task for a question of the run, if this worker has a place in it. */
  #taskOf(question: Task["question"] | null | undefined): Task | undefined {
    const { run } = this.#watch;
    const place = run && placeIn(run, this.name);
    return question && place ? { run, place, question } : undefined;
  }

  async #searchSubtree(
    id: string,
    { run, board, threshold, budget }: SubtreeMessage,
    signal: AbortSignal,
  ): Promise<ResultMessage> {
    const question = { id, board, threshold };
    // The description that gives this worker a place in the run may be newer than the last look at it.
    if (this.#taskOf(question)?.run.run !== run) await this.#watch.refresh();
    const task = this.#taskOf(question);
    if (task?.run.run !== run) throw new Error(`${id} is a subtree of another run`);
    const bound = await this.#searcher.take(task, budget, signal);
    const { counts } = this.#searcher;
    const about = { protocol: PROTOCOL, worker: this.name, counts };
    return { ...about, bound: bound ? writeBound(bound) : null };
  }

  /** Tells the coordinator at once that there is an answer; each status contains it too. */
  async #tellAnswer(): Promise<void> {
    try {
      await this.#announce();
      await tellNews(this.#client, this.#keys.found, "answer", this.name);
    } catch (error) {
      this.#tryAgain(error); // the next beat sends it again
    }
  }

  /** Continues after a failure that may be temporary; ends the worker after any other. */
  #tryAgain(error: unknown): void {
    if (this.#leaving.signal.aborted) return;
    try {
      this.#reach.failed(error);
    } catch (reason) {
      this.#fail(reason as Error);
    }
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#leave();
  }

  #leave(): void {
    this.#leaving.abort();
    this.#searcher.leave();
    disconnect(this.#blocking); // ends a wait for news
  }

  /** Returns the status that the coordinator and status readers receive. */
  #message(): WorkerMessage {
    const { threads, version } = this.#options;
    const { search, subtree, memory, counts, rate, shared } = this.#searcher;
    const { id: question, bound } = { id: search?.question.id, bound: search?.bound };
    return {
      protocol: PROTOCOL,
      worker: this.name,
      host: hostname(),
      pid: process.pid,
      ...{ version, threads, memory },
      state: subtree || (question && !bound) ? "working" : "idle",
      question: question && !bound ? question : null,
      subtree: subtree ?? null,
      answer: question && bound ? { question, bound: writeBound(bound) } : null,
      run: this.#watch.run?.run ?? null,
      counts,
      nodesPerSecond: rate,
      shared,
    };
  }

  /** Returns the state from which metrics are made. */
  observe(): Observed {
    return { worker: this.#message(), heard: this.#reach.heard };
  }

  /** Announces the status of this worker. */
  async #announce(): Promise<void> {
    const message = JSON.stringify(this.#message());
    await Promise.all([
      this.#client.set(this.#keys.worker(this.name), message, "PX", GONE_MS),
      this.#client.sadd(this.#keys.workers, this.name),
    ]);
  }

  /** Saves the table, and disconnects. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#leave();
    try {
      await this.#subtrees[Symbol.asyncDispose]();
      await this.#searcher[Symbol.asyncDispose]();
      const status = this.#client.del(this.#keys.worker(this.name));
      const name = this.#client.srem(this.#keys.workers, this.name);
      await atMost(CLOSE_MS, Promise.allSettled([status, name])); // they expire too
    } finally {
      disconnect(this.#client);
    }
  }
}
