import type { TaskAnswer } from "./agreement.js";
import { atMost, CLOSE_MS, connect, disconnect, type RedisClient } from "./connection.js";
import { type Deferred, deferred } from "./deferred.js";
import { ClusterError } from "./errors.js";
import { TASKS } from "./keys.js";
import { Queue, QueueEvents } from "./libraries.js";
import { mend } from "./mend.js";
import { PROTOCOL, read } from "./messages.js";
import { isOutage } from "./outage.js";
import type { RedisOptions } from "./redis-options.js";
import type { Run } from "./run.js";
import type { TaskMessage, TaskOutcome, TaskResult, TaskWork } from "./task-messages.js";

export interface TaskKeeperOptions {
  readonly redis: RedisOptions;
  readonly run: Run;
  /** Does a task on this machine. */
  doHere(work: TaskWork): Promise<TaskOutcome>;
  /** Returns whether a worker's results are ignored. */
  isShutOut(worker: string): boolean;
}

/** A task that waits for its result. */
interface PendingTask {
  readonly id: string;
  readonly message: TaskMessage;
  readonly answer: Deferred<TaskAnswer>;
  /** True if the task was missing from the queue when last checked. */
  isMissing: boolean;
  /** True if this machine does the task. */
  isHere: boolean;
}

/**
 * Milliseconds after which a task whose result is ignored is queued again: its worker may be about
 * to leave.
 */
const AGAIN_MS = 500;
/** Seconds for which a failed job is kept. */
const KEPT_S = 3600;

/**
 * The tasks of a run that wait for their results, and the queue from which workers take them: a
 * task is a job, and its result is the job's return value. Lost tasks are queued again.
 */
export class TaskKeeper implements AsyncDisposable {
  readonly #options: TaskKeeperOptions;
  readonly #subscriber: RedisClient;
  readonly #queue: Queue<TaskMessage, TaskResult>;
  readonly #events: QueueEvents;
  readonly #pending = new Map<string, PendingTask>();
  readonly #failing = new AbortController();
  #lastId = 0;

  constructor(options: TaskKeeperOptions) {
    this.#options = options;
    const { client, keys, log } = options.run;
    const debug = (error: Error) => log.debug({ error: error.message }, "queue");
    this.#subscriber = connect(options.redis, "blocking", debug);
    // `checkServer` has checked the version. BullMQ's own check, interrupted by an outage, would
    // make the queue unusable.
    this.#queue = new Queue(TASKS, {
      ...{ connection: client as never, skipVersionCheck: true, prefix: keys.prefix },
      defaultJobOptions: { removeOnComplete: true, removeOnFail: { age: KEPT_S } },
    });
    // From the beginning: an event may come before the first read.
    this.#events = new QueueEvents(TASKS, {
      ...{ connection: this.#subscriber as never, prefix: keys.prefix, lastEventId: "0" },
    });
    this.#queue.on("error", debug);
    this.#events.on("error", debug);
    this.#events.on("completed", ({ jobId, returnvalue }) => this.#completed(jobId, returnvalue));
    this.#events.on("failed", ({ jobId, failedReason }) => this.#failed(jobId, failedReason));
  }

  /** The number of tasks that wait for a result. */
  get size(): number {
    return this.#pending.size;
  }

  /** Aborted, with the reason, when the tasks fail. */
  get failing(): AbortSignal {
    return this.#failing.signal;
  }

  /** Prepares the queue for a run. */
  async begin(): Promise<void> {
    const { client, keys } = this.#options.run;
    await mend(client, keys, keys.tasks, []);
    await this.clear();
    await this.#queue.trimEvents(0);
  }

  /** Removes all jobs except those that workers have. */
  async clear(): Promise<void> {
    await this.#queue.drain(true);
    await this.#queue.clean(0, 0, "failed");
  }

  /**
   * Has tasks done by workers other than `not`, or by this machine if there is no other worker.
   * Returns the answers in the order of the tasks.
   *
   * @param holderOf returns the worker that should do a task, if any
   * @throws {ClusterError} `job` with the reason if a task fails
   * @throws the reason given to {@link fail}
   */
  async ask(
    works: readonly TaskWork[],
    not?: string,
    holderOf: (work: TaskWork) => string | undefined = () => undefined,
  ): Promise<readonly TaskAnswer[]> {
    const pending = works.map((work) => this.#open(work, not, holderOf(work)));
    this.#takeOver();
    try {
      await this.#add(pending.filter(({ isHere }) => !isHere));
    } catch (error) {
      if (!isOutage(error)) this.fail(error as Error);
      // Otherwise, beats after the outage will find them missing.
    }
    return await Promise.all(pending.map(({ answer }) => answer.promise));
  }

  /** Does a task on this machine; fails like {@link ask}. */
  async askHere(work: TaskWork): Promise<TaskOutcome> {
    const one = this.#open(work);
    this.#doHere(one);
    return (await one.answer.promise).outcome;
  }

  #open(work: TaskWork, not?: string, holder?: string): PendingTask {
    this.#failing.signal.throwIfAborted();
    const id = `${this.#options.run.id}-${++this.#lastId}`;
    const message = {
      ...{ protocol: PROTOCOL, work },
      ...(not === undefined ? {} : { not }),
      ...(holder === undefined ? {} : { holder }),
    };
    const one = { id, message, answer: deferred<TaskAnswer>(), isMissing: false, isHere: false };
    this.#pending.set(id, one);
    return one;
  }

  #doHere(one: PendingTask): void {
    one.isHere = true;
    this.#options.doHere(one.message.work).then(
      (outcome) => this.#settle(one, { worker: undefined, outcome: asSent(outcome) }),
      (error: Error) => this.fail(error),
    );
  }

  async #add(pending: readonly PendingTask[], delay = 0): Promise<void> {
    const jobs = pending.map(({ id, message }) => ({
      ...{ name: "task", data: message, opts: { jobId: id, delay } },
    }));
    if (jobs.length > 0) await this.#queue.addBulk(jobs);
  }

  #settle(one: PendingTask, answer: TaskAnswer): void {
    this.#pending.delete(one.id);
    one.answer.resolve(answer);
  }

  #completed(id: string, returned: unknown): void {
    const one = this.#pending.get(id);
    if (one === undefined || one.isHere) return;
    try {
      this.#settle(one, this.#answerIn(one.message, returned));
    } catch (error) {
      const { log } = this.#options.run;
      log.warn({ task: id, error: (error as Error).message }, "ignored a result");
      this.#add([one], AGAIN_MS).catch(() => {}); // a later beat will find it missing
    }
  }

  /**
   * Reads the answer in a return value.
   *
   * @throws {ClusterError} `job` if it is not the task's result, or comes from a worker that may
   *   not do the task
   */
  #answerIn({ work, not }: TaskMessage, returned: unknown): TaskAnswer {
    const { worker, outcome } = read("result", returned) as TaskResult;
    if (worker === not || this.#options.isShutOut(worker)) {
      throw new ClusterError("job", `${worker} may not do this task`);
    }
    if ("visit" in work !== "visit" in outcome) {
      throw new ClusterError("job", `${worker} returned the result of another task`);
    }
    return { worker, outcome };
  }

  #failed(id: string, reason: string): void {
    const one = this.#pending.get(id);
    if (one && !one.isHere) this.fail(new ClusterError("job", `a task failed on ${reason}`));
  }

  /**
   * Queues lost tasks again. A task is lost if it was missing twice; after once, its event may be
   * under way.
   */
  async beat(): Promise<void> {
    const { client, keys, log } = this.#options.run;
    this.#takeOver();
    const before = [...this.#pending.values()].filter(({ isHere }) => !isHere);
    const ids = before.map(({ id }) => id);
    const removed = await mend(client, keys, keys.tasks, ids);
    if (removed.length > 0) log.warn({ keys: removed }, "removed keys of the wrong type");
    const states = await Promise.all(ids.map((id) => this.#queue.getJobState(id)));
    const lost: PendingTask[] = [];
    for (const [i, one] of before.entries()) {
      const state = states[i];
      if (state === "failed") await this.#lookWhyFailed(one.id);
      const isMissing = state === "unknown" && this.#pending.has(one.id);
      if (isMissing && one.isMissing) lost.push(one);
      one.isMissing = isMissing;
    }
    if (lost.length === 0) return;
    log.warn({ tasks: lost.length }, "queued lost tasks again");
    // BullMQ ignores a job with an id that it still knows, even if that job is on no list.
    await Promise.all(lost.map(({ id }) => client.del(`${keys.tasks}:${id}`)));
    await this.#add(lost);
  }

  /** Takes over the tasks that the only available worker may not do. */
  #takeOver(): void {
    const { names } = this.#options.run.roster;
    for (const one of this.#pending.values()) {
      const { not } = one.message;
      if (one.isHere || not === undefined || names.some((name) => name !== not)) continue;
      this.#queue.remove(one.id).catch(() => {}); // its result would be ignored
      this.#doHere(one);
    }
  }

  async #lookWhyFailed(id: string): Promise<void> {
    const job = await this.#queue.getJob(id);
    if (job) this.#failed(id, job.failedReason);
  }

  /** Fails the tasks under way, and all later ones. */
  fail(error: Error): void {
    this.#failing.abort(error);
    for (const { answer } of this.#pending.values()) answer.reject(this.#failing.signal.reason);
    this.#pending.clear();
  }

  /** Stops listening. */
  async [Symbol.asyncDispose](): Promise<void> {
    const closing = Promise.allSettled([this.#queue.close(), this.#events.close()]);
    disconnect(this.#subscriber);
    await atMost(CLOSE_MS, closing);
  }
}

/** Returns an outcome as if it had been sent, without undefined fields. */
function asSent(outcome: TaskOutcome): TaskOutcome {
  const message = JSON.stringify({ protocol: PROTOCOL, worker: "here", outcome });
  return (read("result", message) as TaskResult).outcome;
}
