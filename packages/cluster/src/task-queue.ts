import { atMost, CLOSE_MS, connect, disconnect, type RedisClient } from "./connection.js";
import { Queue, QueueEvents } from "./libraries.js";
import { mend } from "./mend.js";
import type { RedisOptions } from "./redis-options.js";
import type { Run } from "./run.js";
import type { TaskMessage, TaskResult } from "./task-messages.js";

/** Seconds for which a failed job is kept. */
const KEPT_S = 3600;

export interface TaskQueueOptions {
  readonly redis: RedisOptions;
  readonly run: Run;
  onCompleted(id: string, returned: unknown): void;
  onFailed(id: string, reason: string): void;
}

/** A task as it is queued: the id of its job, and the job's data. */
export interface QueuedTask {
  readonly id: string;
  readonly message: TaskMessage;
}

/** A queue of tasks for its coordinator: a task is a job, and its result the job's return value. */
export class TaskQueue implements AsyncDisposable {
  readonly #run: Run;
  /** The prefix of the queue's keys. */
  readonly #key: string;
  readonly #subscriber: RedisClient;
  readonly #queue: Queue<TaskMessage, TaskResult>;
  readonly #events: QueueEvents;

  constructor(name: string, { redis, run, onCompleted, onFailed }: TaskQueueOptions) {
    const { client, keys, log } = run;
    const { prefix } = keys;
    const debug = (error: Error) => log.debug({ error: error.message }, "queue");
    this.#run = run;
    this.#key = `${prefix}:${name}`;
    this.#subscriber = connect(redis, "blocking", debug);
    // `checkServer` has checked the version. BullMQ's own check, interrupted by an outage, would
    // make the queue unusable.
    this.#queue = new Queue(name, {
      ...{ connection: client as never, skipVersionCheck: true, prefix },
      defaultJobOptions: { removeOnComplete: true, removeOnFail: { age: KEPT_S } },
    });
    // From the beginning: an event may come before the first read.
    this.#events = new QueueEvents(name, {
      ...{ connection: this.#subscriber as never, prefix, lastEventId: "0" },
    });
    this.#queue.on("error", debug);
    this.#events.on("error", debug);
    this.#events.on("completed", ({ jobId, returnvalue }) => onCompleted(jobId, returnvalue));
    this.#events.on("failed", ({ jobId, failedReason }) => onFailed(jobId, failedReason));
  }

  async add(tasks: readonly QueuedTask[], delay = 0): Promise<void> {
    const jobs = tasks.map(({ id, message }) => ({
      ...{ name: "task", data: message, opts: { jobId: id, delay } },
    }));
    if (jobs.length > 0) await this.#queue.addBulk(jobs);
  }

  /** Adds tasks that were lost. */
  async addAgain(tasks: readonly QueuedTask[]): Promise<void> {
    // BullMQ ignores a job with an id that it still knows, even if that job is on no list.
    await Promise.all(tasks.map(({ id }) => this.#run.client.del(`${this.#key}:${id}`)));
    await this.add(tasks);
  }

  /** Lets workers take tasks: a removal that an outage has interrupted leaves the queue paused. */
  async resume(): Promise<void> {
    await this.#queue.resume();
  }

  /** Returns the state of a task's job. */
  async stateOf(id: string): Promise<string> {
    return await this.#queue.getJobState(id);
  }

  /** Returns why a job failed; undefined if the job is gone. */
  async reasonOf(id: string): Promise<string | undefined> {
    return (await this.#queue.getJob(id))?.failedReason;
  }

  /** Removes a task, unless a worker has it. */
  async remove(id: string): Promise<void> {
    await this.#queue.remove(id);
  }

  /** Removes keys of the wrong type, so that they are recreated; `ids` are those of tasks. */
  async mend(ids: readonly string[]): Promise<void> {
    const { client, keys, log } = this.#run;
    const removed = await mend(client, keys, this.#key, ids);
    if (removed.length > 0) log.warn({ keys: removed }, "removed keys of the wrong type");
  }

  /** Removes the events until now, which contain the results of tasks. */
  async forgetEvents(): Promise<void> {
    await this.#queue.trimEvents(0);
  }

  /** Removes all jobs except those that workers have, and the events until now. */
  async clear(): Promise<void> {
    await this.#queue.drain(true);
    await this.#queue.clean(0, 0, "failed");
    await this.forgetEvents();
  }

  /** Removes all keys of the queue, even if a worker has one of its jobs. */
  async obliterate(): Promise<void> {
    await this.#queue.obliterate({ force: true });
  }

  /** Stops listening. */
  async [Symbol.asyncDispose](): Promise<void> {
    const closing = Promise.allSettled([this.#queue.close(), this.#events.close()]);
    disconnect(this.#subscriber);
    await atMost(CLOSE_MS, closing);
  }
}
