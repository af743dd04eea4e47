import { isDeepStrictEqual } from "node:util";
import type { Job } from "bullmq";
import type { Logger } from "pino";
import { atMost, CLOSE_MS, disconnect, type RedisClient } from "./connection.js";
import { type Keys, QUEUE } from "./keys.js";
import { Queue, QueueEvents } from "./libraries.js";
import { mend } from "./mend.js";
import type { AnswerMessage, QuestionMessage } from "./messages.js";
import { TRIES } from "./queue.js";

/** Seconds for which a completed or failed job is kept if nobody collects it. */
const KEPT_S = 3600;
/** Milliseconds between two tries of a job that has failed. */
const BACKOFF_MS = 500;

/** The state of a job on the queue. */
export type QueuedJob =
  | { readonly state: "waiting" | "active" | "delayed" }
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
  readonly client: RedisClient;
  /** The client that BullMQ duplicates to wait for events. */
  readonly subscriber: RedisClient;
  readonly keys: Keys;
  readonly log: Logger;
  onCompleted(id: string, returned: unknown): void;
  onFailed(id: string): void;
}

/** The queue of a run, for its coordinator. Everything on it can be recreated. */
export class JobQueue {
  readonly #client: RedisClient;
  readonly #subscriber: RedisClient;
  readonly #keys: Keys;
  readonly #queue: Queue<unknown, AnswerMessage>;
  readonly #events: QueueEvents;

  constructor({ client, subscriber, keys, log, onCompleted, onFailed }: JobQueueOptions) {
    this.#client = client;
    this.#subscriber = subscriber;
    this.#keys = keys;
    const { prefix } = keys;
    // `checkServer` has checked the version. BullMQ's own check, interrupted by an outage, would
    // make the queue unusable.
    const connection = { connection: client as never, skipVersionCheck: true };
    this.#queue = new Queue(QUEUE, { ...connection, prefix });
    this.#events = new QueueEvents(QUEUE, { connection: subscriber as never, prefix });
    const debug = (error: Error) => log.debug({ error: error.message }, "queue");
    this.#queue.on("error", debug);
    this.#events.on("error", debug);
    this.#events.on("completed", ({ jobId, returnvalue }) => onCompleted(jobId, returnvalue));
    this.#events.on("failed", ({ jobId }) => onFailed(jobId));
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

  /** Returns the state of a job; `undefined` if it is not on the queue. */
  async find(id: string): Promise<QueuedJob | undefined> {
    let job: Job<unknown, AnswerMessage> | undefined;
    try {
      job = await this.#queue.getJob(id);
    } catch (error) {
      if (error instanceof SyntaxError) return { state: "damaged" };
      throw error;
    }
    if (job === undefined) return undefined;
    const state = await job.getState();
    if (state === "completed" || state === "failed") return await this.#findEnded(id, state);
    switch (state) {
      case "active":
      case "delayed":
        return { state };
      case "unknown":
        return { state: "damaged" };
      default:
        return { state: "waiting" };
    }
  }

  /** Returns a job that has ended, read after its end: the job as read before lacks the result. */
  async #findEnded(id: string, state: "completed" | "failed"): Promise<QueuedJob | undefined> {
    const job = await this.#queue.getJob(id);
    if (job === undefined) return undefined;
    if (state === "completed") return { state, returned: job.returnvalue };
    const reason = job.failedReason || "no reason was given";
    return { state, data: job.data, reason, tries: job.attemptsMade };
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
  }

  /**
   * Removes the keys of the run that have the wrong type, so that they are recreated.
   *
   * @param jobs ids of jobs
   * @returns the keys that were removed
   */
  async mend(jobs: readonly string[]): Promise<string[]> {
    return await mend(this.#client, this.#keys, this.#keys.queue, jobs);
  }

  /**
   * Stops listening. It cuts the connections, so that it also completes while the server is away.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    const closing = Promise.allSettled([this.#queue.close(), this.#events.close()]);
    disconnect(this.#client);
    disconnect(this.#subscriber);
    await atMost(CLOSE_MS, closing);
  }
}

/** Returns whether a job on the queue still has the data that it was added with. */
export function isIntact(data: unknown, asked: QuestionMessage): boolean {
  return isDeepStrictEqual(data, JSON.parse(JSON.stringify(asked)));
}
