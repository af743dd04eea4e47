import { isDeepStrictEqual } from "node:util";
import type { Job } from "bullmq";
import type { Logger } from "pino";
import { atMost, CLOSE_MS, disconnect } from "./connection.js";
import { JobEnds } from "./job-ends.js";
import { type Keys, QUEUE } from "./keys.js";
import type { Queue, Redis } from "./libraries.js";
import { mend } from "./mend.js";
import type { AnswerMessage, QuestionMessage } from "./messages.js";
import { type ListedJobs, listJobs, openQueue, TRIES } from "./queue.js";
import type { RedisOptions } from "./redis-options.js";

/** Seconds for which a completed or failed job is kept if nobody collects it. */
const KEPT_S = 3600;
/** Milliseconds between two tries of a job that has failed. */
const BACKOFF_MS = 500;

/** The state of a job on the queue. */
export type QueuedJob =
  | { readonly state: "queued" }
  | { readonly state: "completed"; readonly returned: unknown }
  | {
      readonly state: "failed";
      readonly data: unknown;
      readonly reason: string;
      readonly tries: number;
    }
  /** Its data exist, but are unreadable or not on any list of the queue. */
  | { readonly state: "damaged" };

export interface JobQueueOptions {
  /** The client for commands, which fail while the server is away. */
  readonly client: Redis;
  readonly redis: RedisOptions;
  readonly keys: Keys;
  readonly log: Logger;
  /** @param returned the JSON of the return value */
  onCompleted(id: string, returned: string): void;
  onFailed(id: string): void;
  /** Called with each error of the connection that waits for events. */
  onError(error: Error): void;
}

/** The queue of a run, for its coordinator. Everything on it can be recreated. */
export class JobQueue {
  readonly #client: Redis;
  readonly #keys: Keys;
  readonly #queue: Queue<unknown, AnswerMessage>;
  readonly #ends: JobEnds;

  constructor(options: JobQueueOptions) {
    const { client, redis, keys, log } = options;
    this.#client = client;
    this.#keys = keys;
    this.#queue = openQueue(QUEUE, keys.prefix, client);
    this.#queue.on("error", (error) => log.debug({ error: error.message }, "queue"));
    this.#ends = new JobEnds({
      ...{ redis, queue: keys.queue, listener: options, onError: options.onError },
    });
  }

  /** Begins to report the ends of jobs. Only the run that leads may do so. */
  listen(): void {
    this.#ends.start();
  }

  async add(id: string, data: QuestionMessage): Promise<void> {
    await this.#queue.add("question", data, {
      jobId: id,
      attempts: TRIES,
      backoff: { type: "fixed", delay: BACKOFF_MS },
      removeOnComplete: { age: KEPT_S },
      removeOnFail: { age: KEPT_S },
    });
  }

  /** Looks at the lists of the queue. */
  async list(): Promise<ListedJobs> {
    return await listJobs(this.#queue);
  }

  /**
   * Returns the state of a job; `undefined` if it is not on the queue.
   *
   * @param listed the jobs on the lists, before this call
   */
  async find(id: string, listed: ListedJobs): Promise<QueuedJob | undefined> {
    const job = await this.#read(id);
    if (job === undefined || "state" in job) return job;
    if (listed.failed.has(id)) {
      const reason = job.failedReason || "no reason was given";
      return { state: "failed", data: job.data, reason, tries: job.attemptsMade };
    }
    if (job.finishedOn !== undefined) return { state: "completed", returned: job.returnvalue };
    if (listed.all.has(id)) return { state: "queued" };
    // It may have been added, or have ended, since then.
    const now = await this.list();
    return now.all.has(id) ? { state: "queued" } : { state: "damaged" };
  }

  async #read(
    id: string,
  ): Promise<Job<unknown, AnswerMessage> | { readonly state: "damaged" } | undefined> {
    try {
      return await this.#queue.getJob(id);
    } catch (error) {
      if (error instanceof SyntaxError) return { state: "damaged" };
      throw error;
    }
  }

  /** Removes a job, unless a worker has it. */
  async remove(id: string): Promise<void> {
    await this.#queue.remove(id);
  }

  /**
   * Removes a damaged job even if a worker has it: a worker that cannot read a job keeps it until
   * its lock expires.
   */
  async discard(id: string): Promise<void> {
    const { queue } = this.#keys;
    await this.#client.del(`${queue}:${id}`, `${queue}:${id}:lock`);
    for (const list of ["active", "wait"]) await this.#client.lrem(`${queue}:${list}`, 0, id);
  }

  /** Removes all jobs except those that workers have. */
  async clear(): Promise<void> {
    await this.#queue.drain(true);
    for (const state of ["completed", "failed"] as const) await this.#queue.clean(0, 0, state);
    await this.#queue.resume(); // a removal that an outage has interrupted leaves the queue paused
  }

  /** Removes all keys of the queue, even if a worker has one of its jobs. */
  async obliterate(): Promise<void> {
    await this.#queue.obliterate({ force: true });
  }

  /**
   * Removes the keys of the run that have the wrong type, so that they are recreated.
   *
   * @param jobs ids of jobs
   * @returns the keys that were removed
   */
  async mend(jobs: readonly string[]): Promise<string[]> {
    return await mend(this.#client, this.#keys, jobs);
  }

  /**
   * Stops listening. It cuts the connections, so that it also completes while the server is away.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    const closing = Promise.allSettled([this.#queue.close(), this.#ends[Symbol.asyncDispose]()]);
    disconnect(this.#client);
    await atMost(CLOSE_MS, closing);
  }
}

/** Returns whether a job on the queue still has the data that it was added with. */
export function isIntact(data: unknown, asked: QuestionMessage): boolean {
  return isDeepStrictEqual(data, JSON.parse(JSON.stringify(asked)));
}
