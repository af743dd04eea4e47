import { Queue } from "bullmq";
import { connect, type RedisClient, type RedisOptions } from "./connection.js";
import { type Keys, keysOf, QUEUE } from "./keys.js";
import { type RunMessage, read, type WorkerMessage } from "./messages.js";

/** What can be seen of a run from outside. */
export interface ClusterStatus {
  /** What the coordinator says; `undefined` when there is none. */
  readonly run: RunMessage | undefined;
  readonly workers: readonly WorkerMessage[];
  /** Jobs on the queue, by their state. */
  readonly queue: Readonly<Record<string, number>>;
}

/**
 * What each worker says of itself, by name; those that say nothing any more are forgotten.
 *
 * @param refuse is told of each whose word cannot be read, as that of one of another version cannot
 */
export async function readWorkers(
  client: RedisClient,
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

/** Asks now and then how a run goes on. */
export class StatusReader {
  readonly #client: RedisClient;
  readonly #queue: Queue;
  readonly #keys: Keys;

  constructor(redis: RedisOptions) {
    this.#keys = keysOf(redis);
    this.#client = connect(redis, "commands");
    this.#queue = new Queue(QUEUE, {
      connection: this.#client as never,
      prefix: this.#keys.prefix,
    });
    this.#queue.on("error", () => {}); // each read says it
  }

  async read(): Promise<ClusterStatus> {
    const text = await this.#client.get(this.#keys.run);
    return {
      run: text === null ? undefined : read("run", text),
      workers: await readWorkers(this.#client, this.#keys),
      queue: await this.#queue.getJobCounts(
        "active",
        "prioritized",
        "waiting",
        "delayed",
        "completed",
        "failed",
      ),
    };
  }

  async close(): Promise<void> {
    await this.#queue.close();
    this.#client.disconnect();
  }
}
