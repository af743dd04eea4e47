import type { RunMessage, WorkerMessage } from "@gridlock/schemas/cluster";
import { connect, disconnect } from "./connection.js";
import type { Redis } from "./ioredis.js";
import { type Keys, keysOf } from "./keys.js";
import { read } from "./messages.js";
import type { RedisOptions } from "./redis-options.js";

/** A run as seen from outside. */
export interface ClusterStatus {
  /** The coordinator's description of the run; `undefined` if there is no coordinator. */
  readonly run: RunMessage | undefined;
  readonly workers: readonly WorkerMessage[];
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
export class StatusReader implements Disposable {
  readonly #client: Redis;
  readonly #keys: Keys;

  constructor(redis: RedisOptions) {
    this.#keys = keysOf(redis);
    this.#client = connect(redis, "commands");
  }

  async read(): Promise<ClusterStatus> {
    const text = await this.#client.get(this.#keys.run);
    const run = text === null ? undefined : read("run", text);
    return { run, workers: await readWorkers(this.#client, this.#keys) };
  }

  [Symbol.dispose](): void {
    disconnect(this.#client);
  }
}
