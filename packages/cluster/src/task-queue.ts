import { atMost, CLOSE_MS } from "./connection.js";
import { JobEnds } from "./job-ends.js";
import type { Queue } from "./libraries.js";
import { mend } from "./mend.js";
import { type ListedJobs, listJobs, openQueue } from "./queue.js";
import type { RedisOptions } from "./redis-options.js";
import type { Run } from "./run.js";
import type { TaskMessage, TaskResult } from "./task-messages.js";

/** Seconds for which a failed job is kept. */
const KEPT_S = 3600;

export interface TaskQueueOptions {
  readonly redis: RedisOptions;
  readonly run: Run;
  /** @param returned the JSON of the return value */
  onCompleted(id: string, returned: string): void;
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
  readonly #queue: Queue<TaskMessage, TaskResult>;
  readonly #ends: JobEnds;

  constructor(name: string, options: TaskQueueOptions) {
    const { redis, run } = options;
    const { client, keys, log } = run;
    const { prefix } = keys;
    this.#run = run;
    this.#key = `${prefix}:${name}`;
    this.#queue = openQueue(name, prefix, client, {
      defaultJobOptions: { removeOnComplete: true, removeOnFail: { age: KEPT_S } },
    });
    this.#queue.on("error", (error) => log.debug({ error: error.message }, "queue"));
    this.#ends = new JobEnds({
      ...{ redis, queue: this.#key, listener: options, onError: (error) => run.trouble(error) },
    });
  }

  /** Begins to report the ends of tasks. Only the run that leads may do so. */
  listen(): void {
    this.#ends.start();
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

  /** Looks at the lists of the queue. */
  async list(): Promise<ListedJobs> {
    return await listJobs(this.#queue);
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

  /** Removes all jobs except those that workers have. */
  async clear(): Promise<void> {
    await this.#queue.drain(true);
    await this.#queue.clean(0, 0, "failed");
    await this.resume();
  }

  /** Removes all keys of the queue, even if a worker has one of its jobs. */
  async obliterate(): Promise<void> {
    await this.#queue.obliterate({ force: true });
  }

  /** Stops listening. */
  async [Symbol.asyncDispose](): Promise<void> {
    const closing = Promise.allSettled([this.#queue.close(), this.#ends[Symbol.asyncDispose]()]);
    await atMost(CLOSE_MS, closing);
  }
}
