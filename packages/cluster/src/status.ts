import { connect, disconnect } from "./connection.js";
import { type Keys, keysOf, QUEUE, TASKS, tasksOf } from "./keys.js";
import type { Queue, Redis } from "./libraries.js";
import { type RunMessage, read, type WorkerMessage } from "./messages.js";
import { openQueue } from "./queue.js";
import type { RedisOptions } from "./redis-options.js";

/** The states of jobs that are counted. */
const STATES = ["active", "waiting", "delayed", "completed", "failed"] as const;

/** A run as seen from outside. */
export interface ClusterStatus {
  /** The coordinator's description of the run; `undefined` if there is no coordinator. */
  readonly run: RunMessage | undefined;
  readonly workers: readonly WorkerMessage[];
  /** The number of jobs on the run's queues in each state. */
  readonly queue: Readonly<Record<string, number>>;
}

/**
 * Returns the status of each worker, by name, and forgets workers whose status has expired.
 *
 * @param refuse called with each worker whose status is unreadable, for instance one of another
 *   version
 */
export async function readWorkers(
  client: Redis,
  keys: Keys,
  refuse: (name: string, reason: Error) => void = () => {},
): Promise<WorkerMessage[]> {
  const names = (await client.smembers(keys.workers)).sort();
  if (names.length === 0) return [];
  const texts = await client.mget(names.map(keys.worker));
  const gone = names.filter((_, i) => texts[i] === null);
  if (gone.length > 0) await client.srem(keys.workers, ...gone);
  return texts.flatMap((text, i) => {
    if (text === null) return [];
    try {
      return [read("worker", text)];
    } catch (error) {
      refuse(names[i] as string, error as Error);
      return [];
    }
  });
}

/** Reads the status of a run. */
export class StatusReader implements AsyncDisposable {
  /** The queue of questions, and that of the tasks that any worker may do. */
  readonly queues: readonly [questions: Queue, tasks: Queue];
  /** The workers' own queues, by worker. */
  readonly #own = new Map<string, Queue>();
  readonly #client: Redis;
  readonly #keys: Keys;

  constructor(redis: RedisOptions) {
    this.#keys = keysOf(redis);
    this.#client = connect(redis, "commands");
    this.queues = [this.#open(QUEUE), this.#open(TASKS)];
  }

  #open(name: string): Queue {
    // A reader leaves no key behind.
    const options = { skipMetasUpdate: true };
    const queue = openQueue(name, this.#keys.prefix, this.#client, options);
    queue.on("error", () => {}); // each read reports it
    return queue;
  }

  async read(): Promise<ClusterStatus> {
    const text = await this.#client.get(this.#keys.run);
    const run = text === null ? undefined : read("run", text);
    const [questions, tasks] = this.queues;
    return {
      run,
      workers: await readWorkers(this.#client, this.#keys),
      queue: await countJobs(run?.layers ? [tasks, ...(await this.#ownQueues())] : [questions]),
    };
  }

  async #ownQueues(): Promise<Queue[]> {
    const workers = await this.#client.smembers(this.#keys.taskQueues);
    for (const [worker, queue] of this.#own) {
      if (workers.includes(worker)) continue;
      this.#own.delete(worker);
      await queue.close();
    }
    return workers.map((worker) => {
      const queue = this.#own.get(worker) ?? this.#open(tasksOf(worker));
      this.#own.set(worker, queue);
      return queue;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const all = [...this.queues, ...this.#own.values()];
    const closing = Promise.all(all.map((queue) => queue.close()));
    disconnect(this.#client);
    await closing;
  }
}

/** Counts the jobs of all queues together, by state. */
async function countJobs(queues: readonly Queue[]): Promise<Record<string, number>> {
  const counts = await Promise.all(queues.map((queue) => queue.getJobCounts(...STATES)));
  return Object.fromEntries(
    STATES.map((state) => [state, counts.reduce((sum, one) => sum + (one[state] ?? 0), 0)]),
  );
}
