import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { WorkerMessage } from "@gridlock/schemas/cluster";
import { orAborted } from "@gridlock/threads";
import type { Logger } from "pino";
import { AnswerSender } from "./answer-queue.js";
import { atMost, connect, disconnect } from "./connection.js";
import type { EngineOptions } from "./engine.js";
import type { Redis } from "./ioredis.js";
import { type Keys, keysOf } from "./keys.js";
import { PROTOCOL, writeBound } from "./messages.js";
import type { Observed } from "./metrics.js";
import { isRefusal, Reach } from "./outage.js";
import { RunWatch } from "./run-watch.js";
import { Searcher, type Task } from "./searcher.js";
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
 * A machine that works for a run: it searches the run's question with all its threads, and shares
 * what it proves with the other workers.
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
  readonly #answers: AnswerSender;
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
    this.#answers = new AnswerSender(this.#client, this.#keys, this.#log);
    this.#searcher = new Searcher({
      ...options,
      ...{ name, log: this.#log },
      onAnswer: () => void this.#answer(),
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
      this.#searcher.aim(this.#task());
      // At once, lest the status expires in between where each reply takes seconds.
      await Promise.all([this.#announce(), this.#answer()]);
      this.#reach.succeeded();
      // ioredis drops a read whose connection was lost: without the signal, leaving would wait for ever.
      await orAborted(this.#watch.news(BEAT_MS), this.#leaving.signal);
    } catch (error) {
      this.#tryAgain(error);
      await sleep(BEAT_MS, undefined, { signal: this.#leaving.signal }).catch(() => {});
    }
  }

  /** Returns the question to search, if the coordinator knows this worker. */
  #task(): Task | undefined {
    const { run } = this.#watch;
    const order = run?.workers.indexOf(this.name) ?? -1;
    if (!run?.question || order < 0) return undefined;
    const peers = run.workers.filter((name) => name !== this.name);
    return { run, order, peers, question: run.question };
  }

  /** Sends the answer, again and again until the question is no longer open. */
  async #answer(): Promise<void> {
    const { search, counts } = this.#searcher;
    if (!search?.bound) return;
    const { run, question } = search;
    const about = { run: run.run, question: question.id };
    const bound = writeBound(search.bound);
    const message = { protocol: PROTOCOL, ...about, worker: this.name, bound, counts };
    try {
      await this.#answers.send(message);
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
    const { search, memory, counts, rate, shared } = this.#searcher;
    const question = search?.bound ? undefined : search?.question.id;
    return {
      protocol: PROTOCOL,
      worker: this.name,
      host: hostname(),
      pid: process.pid,
      ...{ version, threads, memory },
      state: question === undefined ? "idle" : "working",
      question: question ?? null,
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
      await this.#searcher[Symbol.asyncDispose]();
      const status = this.#client.del(this.#keys.worker(this.name));
      const name = this.#client.srem(this.#keys.workers, this.name);
      await atMost(CLOSE_MS, Promise.allSettled([status, name])); // they expire too
    } finally {
      disconnect(this.#client);
      await this.#answers[Symbol.asyncDispose]();
    }
  }
}
