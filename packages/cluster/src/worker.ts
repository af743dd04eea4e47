import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { connect, disconnect, type RedisClient } from "./connection.js";
import { ControlChannel } from "./control.js";
import { EngineKeeper, type EngineKeeperOptions } from "./engine-keeper.js";
import { ClusterError } from "./errors.js";
import { JobTaker } from "./job-taker.js";
import { type Keys, keysOf } from "./keys.js";
import {
  BEAT_MS,
  type ControlMessage,
  GONE_MS,
  gameNamed,
  PROTOCOL,
  questionId,
  type RunMessage,
  readQuestion,
  type WorkerMessage,
  writeBound,
} from "./messages.js";
import type { Observed } from "./metrics.js";
import { Reach } from "./outage.js";
import { RunWatch } from "./run-watch.js";
import { Searcher } from "./searcher.js";

export interface WorkerOptions extends EngineKeeperOptions {
  /** The version of Gridlock, for display. */
  readonly version: string;
}

/**
 * A machine that searches a run's questions, one at a time with all its threads. It takes a question from the queue or,
 * if the queue is empty, joins a question that other workers are searching.
 *
 * Open it with `await using`: disposal gives its job back and saves its table.
 */
export class ClusterWorker {
  readonly name = `${hostname()}-${process.pid}-${randomBytes(2).toString("hex")}`;
  readonly #options: WorkerOptions;
  readonly #log: Logger;
  readonly #keys: Keys;
  readonly #client: RedisClient;
  readonly #subscriber: RedisClient;
  readonly #blocking: RedisClient;
  readonly #reach: Reach;
  readonly #control: ControlChannel;
  readonly #watch: RunWatch;
  readonly #engines: EngineKeeper;
  readonly #searcher: Searcher;
  #taker: JobTaker | undefined;
  /** Questions of the run that this worker has joined and answered, or failed to search. */
  readonly #joined = new Set<string>();
  #leaving = false;
  #failure: Error | undefined;
  /** Whether the next beat is due at once. */
  #isDue = false;
  #endWait: () => void = () => {};

  constructor(options: WorkerOptions) {
    const { redis } = options;
    const { name } = this;
    this.#options = options;
    this.#keys = keysOf(redis);
    const keys = this.#keys;
    this.#log = options.log.child({ worker: name });
    const log = this.#log;
    const debug = (error: Error) => log.debug({ error: error.message }, "connection");
    this.#client = connect(redis, "commands", debug);
    this.#subscriber = connect(redis, "blocking", debug);
    this.#blocking = connect(redis, "blocking", debug);
    const client = this.#client;
    const subscriber = this.#subscriber;
    const fail = (error: Error) => this.#fail(error);
    this.#reach = new Reach(log);
    const onMessage = (message: ControlMessage) => this.#hear(message);
    this.#control = new ControlChannel({ client, subscriber, keys, log, onMessage });
    this.#watch = new RunWatch({ client, keys, name, log });
    this.#engines = new EngineKeeper({ ...options, log }, name, fail);
    this.#searcher = new Searcher(this.#engines, fail);
  }

  /**
   * Works until it is told to leave. Waits while the server is away.
   *
   * @throws {ClusterError} `protocol` if the coordinator is of another version, `shut-out` if it shuts this worker
   *   out
   * @throws the error that prevents the search, such as a lack of memory
   */
  async work(leave: AbortSignal): Promise<void> {
    const onLeave = () => this.#leave();
    leave.addEventListener("abort", onLeave, { once: true });
    if (leave.aborted) onLeave();
    // Control messages only save time: work can begin before the subscription.
    this.#control.listen().catch((error) => this.#tryAgain(error));
    try {
      while (!this.#leaving) {
        await this.#refresh();
        if (this.#leaving) break;
        this.#taker ??= this.#takeJobs();
        this.#joinIfIdle();
        await this.#beat();
        await this.#nextBeat();
      }
    } finally {
      leave.removeEventListener("abort", onLeave);
    }
    if (this.#failure) throw this.#failure;
  }

  /** Waits for a second, or until there is something to do. */
  async #nextBeat(): Promise<void> {
    if (!this.#isDue) {
      const woken = new AbortController();
      this.#endWait = () => woken.abort();
      await sleep(BEAT_MS, undefined, { signal: woken.signal }).catch(() => {});
    }
    this.#isDue = false;
  }

  #wake(): void {
    this.#isDue = true;
    this.#endWait();
  }

  #takeJobs(): JobTaker {
    return new JobTaker({
      connection: this.#blocking,
      keys: this.#keys,
      name: this.name,
      log: this.#log,
      engines: this.#engines,
      searcher: this.#searcher,
      isLeaving: () => this.#leaving,
      refresh: async () => {
        await this.#refresh();
        return this.#watch.run;
      },
      onIdle: () => this.#wake(),
    });
  }

  #hear(message: ControlMessage): void {
    if (message.type === "changed") this.#wake();
    if (message.type !== "cancel" || this.#searcher.task?.id !== message.id) return;
    this.#log.info({ job: message.id }, "cancelled: this answer is no longer needed");
    this.#searcher.end("cancelled");
  }

  /** Reads the coordinator's description of its run, and adapts to it. */
  async #refresh(): Promise<void> {
    try {
      const isNew = await this.#watch.refresh();
      this.#reach.succeeded();
      if (isNew) {
        this.#joined.clear();
        this.#engines.beginRun();
      }
      await this.#dropWhatIsDoubtful();
    } catch (error) {
      this.#tryAgain(error);
    }
    const { open = [] } = this.#watch.run ?? {};
    const { task } = this.#searcher;
    if (task?.state === "joined" && !open.some(({ id }) => id === task.id)) {
      this.#searcher.end("answered");
    }
  }

  /** Deletes all bounds found before a worker was shut out: some may be false. */
  async #dropWhatIsDoubtful(): Promise<void> {
    const { run } = this.#watch;
    if (!run || !this.#engines.isDoubtful(run)) return;
    this.#log.warn({ epoch: run.epoch }, "a worker was shut out: dropping all bounds found so far");
    await this.#searcher.rest("cancelled");
    await this.#engines.drop(false);
  }

  /** Continues after a failure that may be temporary; any other failure ends the worker. */
  #tryAgain(error: unknown): void {
    if (this.#leaving) return;
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
    this.#leaving = true;
    this.#searcher.end("leaving");
    this.#wake();
  }

  /** If idle, joins the most urgent question. */
  #joinIfIdle(): void {
    const { run } = this.#watch;
    const isBusy = this.#searcher.task || this.#taker?.isBusy || this.#leaving;
    if (isBusy || !run || run.sharing.share === null) return;
    const next = run.open.find(({ id }) => !this.#joined.has(id));
    if (next === undefined) return;
    this.#join(run, next).catch((error: Error) => {
      this.#log.warn({ job: next.id, error: error.message }, "left a joined question");
      this.#joined.add(next.id);
    });
  }

  async #join(run: RunMessage, { id, ...asked }: RunMessage["open"][number]): Promise<void> {
    const game = gameNamed(run);
    const question = readQuestion(game, asked);
    if (questionId(game, question) !== id) {
      throw new ClusterError("job", `the id ${id} does not match its question's board`);
    }
    this.#log.info({ job: id }, "joined");
    const { bound } = await this.#searcher.search({
      ...{ id, state: "joined", run },
      ask: (engine, signal) => engine.ask(question, { signal }, false),
    });
    if (bound) {
      this.#joined.add(id);
      const { epoch } = run;
      const answer = {
        type: "answer",
        id,
        epoch,
        worker: this.name,
        bound: writeBound(bound),
      } as const;
      await this.#control.call(answer).catch(() => {}); // the worker that has the question will answer it too
    }
    this.#wake();
  }

  /** Returns the status that the coordinator and status readers receive. */
  #message(): WorkerMessage {
    const { threads, version } = this.#options;
    const { task } = this.#searcher;
    const { memory, counts, rate, shared } = this.#engines;
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
      shared,
    };
  }

  /** Returns the state from which metrics are made. */
  observe(): Observed {
    return { worker: this.#message(), heard: this.#reach.heard };
  }

  /** Announces the status of this worker. */
  async #beat(): Promise<void> {
    this.#engines.measureRate();
    this.#control.ping();
    const message = JSON.stringify(this.#message());
    try {
      await this.#client.set(this.#keys.worker(this.name), message, "PX", GONE_MS);
      await this.#client.sadd(this.#keys.workers, this.name);
      this.#reach.succeeded();
    } catch (error) {
      this.#tryAgain(error);
    }
  }

  /** Gives the job back, saves the table, and disconnects. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#leave();
    try {
      await this.#searcher.rest("leaving");
      await this.#taker?.[Symbol.asyncDispose]();
      await this.#engines[Symbol.asyncDispose]();
      await this.#client.del(this.#keys.worker(this.name)).catch(() => {});
      await this.#client.srem(this.#keys.workers, this.name).catch(() => {});
    } finally {
      this.#control[Symbol.dispose]();
      for (const client of [this.#client, this.#subscriber, this.#blocking]) disconnect(client);
    }
  }
}
