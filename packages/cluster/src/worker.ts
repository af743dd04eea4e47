import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bound } from "@gridlock/game";
import { hasKernel, type NodeCounts } from "@gridlock/kernel";
import type { Question } from "@gridlock/solver";
import { DelayedError, type Job, UnrecoverableError, WaitingError, Worker } from "bullmq";
import type { Logger } from "pino";
import { connect, type RedisClient, type RedisOptions } from "./connection.js";
import { Engine, type EngineOptions } from "./engine.js";
import { ClusterError } from "./errors.js";
import { keysOf, QUEUE } from "./keys.js";
import { NOTHING_SHARED } from "./link.js";
import {
  type AnswerMessage,
  BEAT_MS,
  type ControlMessage,
  GONE_MS,
  gameNamed,
  PROTOCOL,
  type QuestionMessage,
  questionId,
  type RunMessage,
  read,
  readQuestion,
  type WorkerMessage,
  writeBound,
} from "./messages.js";
import type { Observed } from "./metrics.js";
import { LOCK_MS, MOST_LOSSES, STALLED_MS } from "./queue.js";

export interface WorkerOptions extends EngineOptions {
  readonly redis: RedisOptions;
  /** Of gridlock, for people. */
  readonly version: string;
  readonly log: Logger;
}

/** How long a job that this worker may not do is left to others before it looks again, in milliseconds. */
const NOT_MINE_MS = 1000;

const NO_NODES: NodeCounts = { positions: 0, afterstates: 0 };

/** What a worker does at the moment. */
interface Task {
  readonly id: string;
  readonly state: "working" | "joined" | "auditing";
  readonly abort: AbortController;
  /** Settles when the search has come to rest. */
  readonly done: Promise<unknown>;
}

/**
 * A machine that works on a run's questions: one at a time, all threads on it. It takes one that nobody has; when
 * there is none it joins one that is under way, and searches it together with those who have it.
 */
export class ClusterWorker {
  readonly name = `${hostname()}-${process.pid}-${randomBytes(2).toString("hex")}`;
  readonly #options: WorkerOptions;
  readonly #log: Logger;
  readonly #keys;
  readonly #client: RedisClient;
  readonly #subscriber: RedisClient;
  readonly #blocking: RedisClient;
  #bull: Worker<unknown, AnswerMessage> | undefined;
  #engine: Engine | undefined;
  #run: RunMessage | undefined;
  #task: Task | undefined;
  /** Whether there is a job from the queue, which comes before all else. */
  #hasJob = false;
  /** Nodes searched by engines that are gone, and before this run. */
  #past = NO_NODES;
  #before = NO_NODES;
  /** Questions of the run that this worker has answered as one who joined them. */
  readonly #answered = new Set<string>();
  #last = { nodes: 0, at: performance.now(), rate: 0 };
  /** When the server last took what was said. */
  #heard = performance.now();
  #leaving = false;
  #failure: Error | undefined;
  #wake: () => void = () => {};

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#log = options.log.child({ worker: this.name });
    this.#keys = keysOf(options.redis);
    const warn = (error: Error) => this.#log.debug({ error: error.message }, "connection");
    this.#client = connect(options.redis, "commands", warn);
    this.#subscriber = connect(options.redis, "blocking", warn);
    this.#blocking = connect(options.redis, "blocking", warn);
  }

  /**
   * Works until it is told to leave.
   *
   * @throws {ClusterError} `protocol` when the coordinator is of another version, `shut-out` when it shuts this
   *   worker out; and what makes it impossible to search, such as a lack of memory.
   */
  async work(leave: AbortSignal): Promise<void> {
    const onLeave = () => this.#leave();
    leave.addEventListener("abort", onLeave, { once: true });
    try {
      await this.#listen();
      await this.#refresh();
      this.#bull = this.#hire();
      while (!this.#leaving) {
        this.#joinIfIdle();
        await this.#beat();
        await Promise.race([
          sleep(BEAT_MS),
          new Promise<void>((resolve) => {
            this.#wake = resolve;
          }),
        ]);
        await this.#refresh();
      }
    } finally {
      leave.removeEventListener("abort", onLeave);
      await this.#end();
    }
    if (this.#failure) throw this.#failure;
  }

  #hire(): Worker<unknown, AnswerMessage> {
    const bull = new Worker<unknown, AnswerMessage>(
      QUEUE,
      (job, token, signal) => this.#process(job, token as string, signal as AbortSignal),
      {
        connection: this.#blocking as never,
        prefix: this.#keys.prefix,
        concurrency: 1,
        lockDuration: LOCK_MS,
        stalledInterval: STALLED_MS,
        maxStalledCount: MOST_LOSSES,
      },
    );
    bull.on("error", (error) => this.#log.warn({ error: error.message }, "queue"));
    bull.on("lockRenewalFailed", (jobs) =>
      this.#log.warn({ jobs }, "another worker may take the job"),
    );
    return bull;
  }

  /** Hears what is called out to all. */
  async #listen(): Promise<void> {
    this.#subscriber.on("message", (_channel: string, text: string) => {
      try {
        this.#hear(read("control", text));
      } catch (error) {
        this.#log.warn({ error: (error as Error).message }, "ignored a message");
      }
    });
    await this.#subscriber.subscribe(this.#keys.control);
  }

  #hear(message: ControlMessage): void {
    if (message.type === "changed") this.#wake();
    if (message.type !== "cancel" || this.#task?.id !== message.id) return;
    this.#log.info({ job: message.id }, "nobody waits for this any more");
    this.#task.abort.abort("cancelled");
  }

  /** Reads what the coordinator says of its run. */
  async #refresh(): Promise<void> {
    let text: string | null;
    try {
      text = await this.#client.get(this.#keys.run);
    } catch {
      return; // the server is away; what is under way goes on
    }
    try {
      const before = this.#run;
      this.#run = text === null ? undefined : read("run", text);
      if (before?.run !== this.#run?.run) {
        this.#answered.clear();
        this.#before = this.#total();
        if (this.#run) this.#log.info({ run: this.#run.run, shape: this.#run.shape }, "run");
        else this.#log.info("waiting for a coordinator");
      }
      if (this.#run?.shutOut.includes(this.name)) {
        throw new ClusterError(
          "shut-out",
          `this worker, ${this.name}, gave an answer that others have refuted, and is shut out of the run`,
        );
      }
      await this.#dropWhatIsDoubted();
    } catch (error) {
      if (error instanceof ClusterError && error.code === "job") {
        this.#log.warn({ error: error.message }, "ignored the coordinator's word");
      } else this.#fail(error as Error);
    }
    const { open = [] } = this.#run ?? {};
    const task = this.#task;
    if (task?.state === "joined" && !open.some(({ id }) => id === task.id)) {
      task.abort.abort("answered");
    }
  }

  /** Since a worker was shut out, nothing that was learned with its help is to be relied upon. */
  async #dropWhatIsDoubted(): Promise<void> {
    const engine = this.#engine;
    if (!engine || !this.#run || this.#run.epoch === engine.epoch) return;
    if (engine.run !== this.#run.run) return;
    this.#log.warn(
      { epoch: this.#run.epoch },
      "a worker was shut out: all that was learned is dropped",
    );
    await this.#rest("cancelled");
    await this.#drop(false);
  }

  /** Nothing can be searched any more. */
  #fail(error: Error): undefined {
    this.#failure ??= error;
    this.#leave();
  }

  #leave(): void {
    this.#leaving = true;
    this.#task?.abort.abort("leaving");
    this.#wake();
  }

  /** Ends what this worker does at the moment. */
  async #rest(reason: string): Promise<void> {
    this.#task?.abort.abort(reason);
    await this.#task?.done.catch(() => {});
  }

  /** The engine for a game, with the table of this run; made when it is first needed. */
  async #engineFor(run: RunMessage): Promise<Engine> {
    const game = gameNamed(run);
    const engine = this.#engine;
    if (engine && engine.epoch === run.epoch && engine.isFor(game, run.sharing)) {
      engine.run = run.run;
      return engine;
    }
    await this.#drop(true);
    if (!hasKernel(game.shape)) {
      throw new UnrecoverableError(`boards of ${run.shape} cannot be searched by this version`);
    }
    const { redis } = this.#options;
    const machine = { redis, name: this.name, shutOut: run.shutOut };
    this.#engine = await Engine.start(game, run, this.#options, machine, (e) => this.#fail(e));
    this.#log.info({ shape: run.shape, threads: this.#options.threads }, "table ready");
    return this.#engine;
  }

  async #drop(keep: boolean): Promise<void> {
    const engine = this.#engine;
    if (!engine) return;
    this.#past = this.#total();
    this.#engine = undefined;
    await engine.close(keep);
  }

  /** Does a job of the queue. */
  async #process(job: Job, token: string, signal: AbortSignal): Promise<AnswerMessage> {
    this.#hasJob = true;
    try {
      await this.#rest("a job has come");
      if (this.#leaving) return await this.#putBack(job, token);
      await this.#refresh();
      // Nobody would take the answer; when a coordinator comes it tidies up.
      if (!this.#run) return await this.#leaveToOthers(job, token);
      return await this.#answer(this.#run, job, token, signal);
    } finally {
      this.#hasJob = false;
      this.#wake();
    }
  }

  async #answer(
    run: RunMessage,
    job: Job,
    token: string,
    signal: AbortSignal,
  ): Promise<AnswerMessage> {
    const { question, audited, budget } = this.#questionOf(job, run);
    if (audited === this.name) return await this.#leaveToOthers(job, token);
    const id = job.id as string;
    const isWhole = run.open.some((open) => open.id === id); // and no subtree of one
    const log = this.#log.child({ job: id });
    log.info({ attempt: job.attemptsMade + 1 }, audited === undefined ? "working" : "auditing");
    const began = performance.now();
    const progress = setInterval(() => {
      job.updateProgress({ seconds: (performance.now() - began) / 1000 }).catch(() => {});
    }, BEAT_MS);
    try {
      const { bound, reason } = await this.#search(
        id,
        audited === undefined ? "working" : "auditing",
        (engine, limits) =>
          audited === undefined
            ? engine.ask(question, limits, isWhole)
            : engine.askAfresh(question, limits),
        { run, signal, ...(budget === undefined ? {} : { budget }) },
      );
      log.info({ bound: bound && writeBound(bound), reason, seconds: seconds(began) }, "done");
      const common = {
        protocol: PROTOCOL,
        run: run.run,
        epoch: run.epoch,
        worker: this.name,
        counts: this.#counts(),
      };
      if (bound) return { ...common, outcome: "answered", bound: writeBound(bound) };
      if (reason === "leaving") return await this.#putBack(job, token);
      return { ...common, outcome: reason === undefined ? "unfinished" : "cancelled" };
    } finally {
      clearInterval(progress);
    }
  }

  /** Puts a job off that this worker cannot do now. */
  async #leaveToOthers(job: Job, token: string): Promise<never> {
    await job.moveToDelayed(Date.now() + NOT_MINE_MS, token);
    throw new DelayedError();
  }

  /** Gives a job back at once, for another worker. */
  async #putBack(job: Job, token: string): Promise<never> {
    await job.moveToWait(token);
    throw new WaitingError();
  }

  /** What a job asks; one that asks nothing sensible is refused for good. */
  #questionOf(
    job: Job,
    run: RunMessage,
  ): Pick<QuestionMessage, "audited" | "budget"> & { question: Question } {
    try {
      const message = read("question", job.data);
      const game = gameNamed(message);
      if (message.shape !== run.shape || message.tiles !== run.tiles) {
        throw new ClusterError("job", `a question of ${message.shape} in a run of ${run.shape}`);
      }
      const { audited, budget } = message;
      return { question: readQuestion(game, message), audited, budget };
    } catch (error) {
      this.#log.warn({ job: job.id, error: (error as Error).message }, "refused a job");
      throw new UnrecoverableError((error as Error).message);
    }
  }

  /** Searches until there is an answer or a reason to end. */
  async #search(
    id: string,
    state: Task["state"],
    ask: (
      engine: Engine,
      limits: { signal: AbortSignal; budget?: number },
    ) => Promise<Bound | undefined>,
    { run, signal, budget }: { run: RunMessage; signal?: AbortSignal; budget?: number },
  ): Promise<{ bound: Bound | undefined; reason: string | undefined }> {
    const abort = new AbortController();
    signal?.addEventListener("abort", () => abort.abort("cancelled"), { once: true });
    const search = async () => {
      const engine = await this.#engineFor(run).catch((error: Error) => this.#fail(error));
      if (!engine) return undefined;
      return await ask(engine, {
        signal: abort.signal,
        ...(budget === undefined ? {} : { budget }),
      });
    };
    const done = search();
    this.#task = { id, state, abort, done };
    try {
      const bound = await done;
      return { bound, reason: abort.signal.aborted ? String(abort.signal.reason) : undefined };
    } catch (error) {
      // A thread that has failed leaves a pool that cannot be used any more.
      await this.#drop(true).catch(() => {});
      throw error;
    } finally {
      if (this.#task?.done === done) this.#task = undefined;
    }
  }

  /** Where there is nothing to do, joins those who work on the most urgent question. */
  #joinIfIdle(): void {
    const run = this.#run;
    if (this.#task || this.#hasJob || this.#leaving || !run || run.sharing.share === null) return;
    const next = run.open.find(({ id }) => !this.#answered.has(id));
    if (next === undefined) return;
    this.#join(run, next).catch((error: Error) => {
      this.#log.warn({ job: next.id, error: error.message }, "left a question that it had joined");
      this.#answered.add(next.id);
    });
  }

  async #join(run: RunMessage, open: RunMessage["open"][number]): Promise<void> {
    const game = gameNamed(run);
    const question = readQuestion(game, open);
    const { id } = open;
    if (questionId(game, question) !== id)
      throw new ClusterError("job", `${id} is not what it says`);
    this.#log.info({ job: id }, "joined");
    const { bound } = await this.#search(
      id,
      "joined",
      (engine, limits) => engine.ask(question, limits, false),
      { run },
    );
    if (bound) {
      this.#answered.add(id);
      const answer: ControlMessage = {
        type: "answer",
        id,
        epoch: run.epoch,
        worker: this.name,
        bound: writeBound(bound),
      };
      await this.#client.publish(this.#keys.control, JSON.stringify(answer)).catch(() => {});
    }
    this.#wake();
  }

  /** All nodes that this worker has searched. */
  #total(): NodeCounts {
    const { positions, afterstates } = this.#engine?.counts ?? NO_NODES;
    return {
      positions: this.#past.positions + positions,
      afterstates: this.#past.afterstates + afterstates,
    };
  }

  /** Nodes that it has searched in this run. */
  #counts(): NodeCounts {
    const { positions, afterstates } = this.#total();
    return {
      positions: positions - this.#before.positions,
      afterstates: afterstates - this.#before.afterstates,
    };
  }

  #measureRate(): void {
    const now = performance.now();
    if (now - this.#last.at < BEAT_MS / 2) return;
    const { positions, afterstates } = this.#total();
    const nodes = positions + afterstates;
    const rate = Math.max(0, (1000 * (nodes - this.#last.nodes)) / (now - this.#last.at));
    this.#last = { nodes, at: now, rate };
  }

  /** What there is to say of this worker. */
  #message(): WorkerMessage {
    const { threads, version } = this.#options;
    return {
      protocol: PROTOCOL,
      worker: this.name,
      host: hostname(),
      pid: process.pid,
      version,
      threads,
      memory: this.#engine ? this.#options.memory(this.#engine.game) : 0,
      state: this.#task?.state ?? "idle",
      job: this.#task?.id ?? null,
      run: this.#run?.run ?? null,
      counts: this.#counts(),
      nodesPerSecond: this.#last.rate,
      shared: this.#engine?.shared ?? NOTHING_SHARED,
    };
  }

  /** What can be told of it to those who watch. */
  observe(): Observed {
    return { worker: this.#message(), heard: this.#heard };
  }

  /** Says what this worker does. */
  async #beat(): Promise<void> {
    this.#measureRate();
    // A subscriber that is owed nothing would not notice that its connection has gone silent.
    this.#subscriber.ping().catch(() => {});
    const message = JSON.stringify(this.#message());
    try {
      await this.#client.set(this.#keys.worker(this.name), message, "PX", GONE_MS);
      await this.#client.sadd(this.#keys.workers, this.name);
      this.#heard = performance.now();
    } catch {
      // The server is away; it will be told when it is back.
    }
  }

  async #end(): Promise<void> {
    await this.#rest("leaving");
    await this.#bull?.close();
    await this.#drop(true);
    await this.#client.del(this.#keys.worker(this.name)).catch(() => {});
    await this.#client.srem(this.#keys.workers, this.name).catch(() => {});
    for (const client of [this.#client, this.#subscriber, this.#blocking]) client.disconnect();
  }
}

function seconds(began: number): number {
  return Math.round(performance.now() - began) / 1000;
}
