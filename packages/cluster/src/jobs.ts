import type { ResultMessage, SubtreeMessage } from "@gridlock/schemas/cluster";
import { Queue, QueueEvents, Worker } from "./bullmq.js";
import { atMost, connect, disconnect } from "./connection.js";
import type { Redis } from "./ioredis.js";
import { type Keys, QUEUE } from "./keys.js";
import { read } from "./messages.js";
import { isOutage } from "./outage.js";
import type { RedisOptions } from "./redis-options.js";
import { BEAT_MS, CLOSE_MS, GONE_MS, LOCK_MS, QUEUE_WAIT_MS, STALLED_MS } from "./timing.js";

/*
 * BullMQ's queue of jobs, from the coordinator to workers. Nothing on it is the only copy: the
 * coordinator queues a job again that is lost, and others may descend into a subtree that nobody
 * answers.
 */

/** Options for ended jobs. Results stay a while: the coordinator may miss their events. */
const DONE = { removeOnComplete: { count: 1000 }, removeOnFail: true };
/** Times that a job is given to another worker because the one before was lost. */
const MOST_STALLED = 100;
/** Jobs that a worker has taken at a time: it does one, and does not wait for the next one. */
const TAKEN = 2;

/** The server of a queue. */
export interface JobsOptions {
  readonly redis: RedisOptions;
  readonly keys: Keys;
  /** Called with each error of a connection and of BullMQ. */
  onError(error: Error): void;
}

/** Returns options of BullMQ with a connection of its own. */
function bullOptions({ redis, keys: { prefix }, onError }: JobsOptions) {
  const connection = connect(redis, "blocking", onError);
  // BullMQ need not ask for the version of the server, which `checkServer` has checked: interrupted
  // by an outage, that would make the queue unusable.
  return { connection: connection as never, prefix, skipVersionCheck: true };
}

/** The coordinator's end of the queue. Only the run that leads may have it. */
export class JobQueue implements AsyncDisposable {
  readonly #connection: Redis;
  readonly #queue: Queue<SubtreeMessage>;
  readonly #events: QueueEvents;
  readonly #onResult: (id: string, result: unknown) => void;

  /**
   * @param client for commands, which fail while the server is away; the caller disconnects it
   * @param onResult called with the result of a job, which may come twice; `undefined` if the job
   *   has failed
   */
  constructor(
    options: JobsOptions & { readonly client: Redis },
    onResult: (id: string, result: unknown) => void,
  ) {
    const shared = bullOptions(options);
    const { client, onError } = options;
    this.#connection = shared.connection;
    this.#onResult = onResult;
    this.#queue = new Queue(QUEUE, {
      ...shared,
      connection: client as never,
      skipMetasUpdate: true,
    });
    this.#events = new QueueEvents(QUEUE, shared);
    this.#queue.on("error", onError);
    this.#events.on("error", onError);
    this.#events.on("completed", ({ jobId, returnvalue }) => onResult(jobId, returnvalue));
    this.#events.on("failed", ({ jobId }) => onResult(jobId, undefined));
  }

  /** Queues jobs, by their ids. */
  async add(jobs: ReadonlyMap<string, SubtreeMessage>): Promise<void> {
    await this.#queue.addBulk(
      [...jobs].map(([jobId, data]) => ({ name: "subtree", data, opts: { ...DONE, jobId } })),
    );
  }

  /** Removes jobs; returns those that workers have taken. */
  async remove(ids: readonly string[]): Promise<string[]> {
    const removed = await Promise.all(ids.map((id) => this.#queue.remove(id)));
    return ids.filter((_, i) => removed[i] === 0);
  }

  /** Looks for results whose events were missed; returns the ids of jobs that are on no list. */
  async lost(ids: readonly string[]): Promise<string[]> {
    const isLost = await Promise.all(
      ids.map(async (id) => {
        const job = await this.#queue.getJob(id);
        if (job?.finishedOn === undefined) return !job || (await job.getState()) === "unknown";
        this.#onResult(id, job.returnvalue ?? undefined);
        return false;
      }),
    );
    return ids.filter((_, i) => isLost[i]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    disconnect(this.#connection);
    await closed(this.#events.close());
    await closed(this.#queue.close());
  }
}

/** A worker's end of the queue. */
export class JobTaker implements AsyncDisposable {
  readonly #connection: Redis;
  readonly #worker: Worker<unknown, ResultMessage>;

  /** @param work does a job until the signal is aborted */
  constructor(
    options: JobsOptions,
    work: (id: string, job: SubtreeMessage, signal: AbortSignal) => Promise<ResultMessage>,
  ) {
    const shared = bullOptions(options);
    this.#connection = shared.connection;
    const worker = new Worker<unknown, ResultMessage>(
      QUEUE,
      // BullMQ passes the signal only to a function with three parameters.
      async ({ id, data }, _token, signal) =>
        work(id as string, read("subtree", data), signal as AbortSignal),
      {
        ...shared,
        autorun: false,
        concurrency: TAKEN,
        runRetryDelay: BEAT_MS,
        drainDelay: QUEUE_WAIT_MS / 1000,
        lockDuration: LOCK_MS,
        stalledInterval: STALLED_MS,
        maxStalledCount: MOST_STALLED,
      },
    );
    worker.on("error", (error) => {
      // It would ask for a job again at once, some thousand times a second.
      if (!isOutage(error) && worker.isRunning()) worker.pause(true).catch(() => {});
      options.onError(error);
    });
    this.#worker = worker;
  }

  /** Takes jobs from now on, and again after an error. Call it once a second. */
  start(): void {
    if (this.#worker.isPaused()) this.#worker.resume();
    else if (!this.#worker.isRunning()) this.#worker.run().catch(() => {});
  }

  /** Stops a job that no longer matters. */
  cancel(id: string): void {
    this.#worker.cancelJob(id);
  }

  /** Stops taking jobs; waits for the results of those taken, which the caller has stopped. */
  async [Symbol.asyncDispose](): Promise<void> {
    await closed(this.#worker.close());
    disconnect(this.#connection);
    await closed(this.#worker.close(true));
  }
}

/**
 * Removes all keys of the queue, whatever they contain. A scan may miss the keys that a worker adds
 * meanwhile when it ends a job. It cannot end a job that is gone, so the second scan finds them.
 */
export async function emptyQueue(client: Redis, { prefix }: Keys): Promise<void> {
  for (let scan = 0; scan < 2; scan++) {
    for await (const found of client.scanStream({ match: `${prefix}:${QUEUE}:*`, count: 1000 })) {
      if (found.length > 0) await client.unlink(...found);
    }
  }
}

/**
 * Has the key of the queue expire that BullMQ's workers make, also when there is no run any longer;
 * see findings/bullmq-meta-returns.sh. It has nothing but a default, so a run can do without it.
 */
export async function expireQueue(client: Redis, { prefix }: Keys): Promise<void> {
  await client.pexpire(`${prefix}:${QUEUE}:meta`, GONE_MS);
}

/** Removes the keys that several machines write, if one of them has the wrong type. */
export async function removeDamaged(client: Redis, keys: Keys): Promise<void> {
  await emptyQueue(client, keys);
  await client.del(keys.workers);
}

/** Waits until BullMQ has closed something or has failed to, but not for long. */
async function closed(closing: Promise<void>): Promise<void> {
  await atMost(
    CLOSE_MS,
    closing.catch(() => {}),
  );
}
