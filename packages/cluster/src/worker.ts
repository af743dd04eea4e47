import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { connect, disconnect } from "./connection.js";
import { EngineKeeper, type EngineKeeperOptions } from "./engine-keeper.js";
import { JobTaker } from "./job-taker.js";
import { type Keys, keysOf } from "./keys.js";
import type { Redis } from "./libraries.js";
import { BEAT_MS, GONE_MS, PROTOCOL, type RunMessage, type WorkerMessage } from "./messages.js";
import type { Observed } from "./metrics.js";
import { isRefusal, Reach } from "./outage.js";
import type { RedisOptions } from "./redis-options.js";
import { RunWatch } from "./run-watch.js";

export interface WorkerOptions extends EngineKeeperOptions {
  readonly redis: RedisOptions;
  /** The version of Gridlock, for display. */
  readonly version: string;
}

/**
 * A machine that works for a run: it searches questions, one at a time with all its threads.
 *
 * Open it with `await using`: disposal gives its job back and saves its table.
 */
export class ClusterWorker implements AsyncDisposable {
  readonly name = `${hostname()}-${process.pid}-${randomBytes(2).toString("hex")}`;
  readonly #options: WorkerOptions;
  readonly #log: Logger;
  readonly #keys: Keys;
  readonly #client: Redis;
  readonly #reach: Reach;
  readonly #watch: RunWatch;
  readonly #engines: EngineKeeper;
  readonly #leaving = new AbortController();
  #taker: JobTaker | undefined;
  #failure: Error | undefined;

  constructor(options: WorkerOptions) {
    const { name } = this;
    this.#options = options;
    this.#keys = keysOf(options.redis);
    this.#log = options.log.child({ worker: name });
    this.#client = this.#connect("commands");
    this.#reach = new Reach(this.#log, options.redis);
    this.#watch = new RunWatch({ client: this.#client, keys: this.#keys, name, log: this.#log });
    this.#engines = new EngineKeeper({ ...options, log: this.#log });
  }

  #connect(use: "commands" | "blocking"): Redis {
    return connect(this.#options.redis, use, (error) => {
      this.#log.debug({ error: error.message }, "connection");
      this.#refused(error);
    });
  }

  /** Records that the server refuses a login or a command, if an error says so. */
  #refused(error: Error): void {
    if (isRefusal(error)) this.#tryAgain(error);
  }

  /**
   * Works until `leave` is aborted. Waits while the server is away.
   *
   * @throws {ClusterError} `protocol` if the coordinator is of another version, `shut-out` if it
   *   shuts this worker out
   * @throws the error that prevents the search, such as a lack of memory
   */
  async work(leave: AbortSignal): Promise<void> {
    const onLeave = () => this.#leave();
    leave.addEventListener("abort", onLeave, { once: true });
    if (leave.aborted) onLeave();
    const { signal } = this.#leaving;
    try {
      while (!signal.aborted) {
        await this.#refresh();
        if (signal.aborted) break;
        this.#taker ??= this.#takeJobs();
        await this.#beat();
        this.#taker.tryAgain();
        await sleep(BEAT_MS, undefined, { signal }).catch(() => {});
      }
    } finally {
      leave.removeEventListener("abort", onLeave);
    }
    if (this.#failure) throw this.#failure;
  }

  #takeJobs(): JobTaker {
    return new JobTaker({
      connection: this.#connect("blocking"),
      keys: this.#keys,
      name: this.name,
      log: this.#log,
      engines: this.#engines,
      refresh: () => this.#refresh(),
      onRefusal: (error) => this.#refused(error),
      onFailure: (error) => this.#fail(error),
    });
  }

  /**
   * Reads and returns the coordinator's description of its run, and stops a search that it does not
   * need.
   */
  async #refresh(): Promise<RunMessage | undefined> {
    try {
      const isNew = await this.#watch.refresh();
      this.#reach.answered();
      if (isNew) this.#engines.beginRun();
      this.#taker?.stopUnlessOpen(this.#watch.run);
    } catch (error) {
      this.#tryAgain(error);
    }
    return this.#watch.run;
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
    this.#taker?.leave();
  }

  /** Returns the status that the coordinator and status readers receive. */
  #message(): WorkerMessage {
    const { threads, version } = this.#options;
    const task = this.#taker?.task;
    const { memory, counts, rate } = this.#engines;
    return {
      protocol: PROTOCOL,
      worker: this.name,
      host: hostname(),
      pid: process.pid,
      version,
      threads,
      memory,
      state: task?.state ?? "idle",
      job: task?.id ?? null,
      run: this.#watch.run?.run ?? null,
      counts,
      nodesPerSecond: rate,
    };
  }

  /** Returns the state from which metrics are made. */
  observe(): Observed {
    return { worker: this.#message(), heard: this.#reach.heard };
  }

  /** Announces the status of this worker. */
  async #beat(): Promise<void> {
    this.#engines.measureRate();
    const message = JSON.stringify(this.#message());
    try {
      await this.#client.set(this.#keys.worker(this.name), message, "PX", GONE_MS);
      await this.#client.sadd(this.#keys.workers, this.name);
      if (!this.#watch.run) await this.#expire();
      this.#reach.succeeded();
    } catch (error) {
      this.#tryAgain(error);
    }
  }

  /** Lets the keys expire that BullMQ makes as it looks for jobs, also when there is no run. */
  async #expire(): Promise<void> {
    await this.#client.pexpire(`${this.#keys.queue}:meta`, GONE_MS);
  }

  /** Gives the question back, saves the table, and disconnects. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#leave();
    try {
      await this.#taker?.[Symbol.asyncDispose]();
      await this.#engines[Symbol.asyncDispose]();
      await this.#expire().catch(() => {});
      await this.#client.del(this.#keys.worker(this.name)).catch(() => {});
      await this.#client.srem(this.#keys.workers, this.name).catch(() => {});
    } finally {
      disconnect(this.#client);
    }
  }
}
