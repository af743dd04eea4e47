import { keyPrefix, type RedisOptions } from "./redis-options.js";

/** The keys of a run in Redis. BullMQ stores the jobs under the same prefix. */
export interface Keys {
  /** The prefix to pass to BullMQ. */
  readonly prefix: string;
  /** The prefix of the keys of BullMQ's queue. */
  readonly queue: string;
  /** A string: the id of the run whose coordinator leads. It expires. */
  readonly coordinator: string;
  /** A string: the coordinator's description of its run. It expires. */
  readonly run: string;
  /** A set: the names of workers, some of which may be gone. */
  readonly workers: string;
  /** A string for each worker: its status. It expires. */
  worker(name: string): string;
}

/** The name of BullMQ's queue. */
export const QUEUE = "questions";

/** The lists of a BullMQ queue that a run uses, and the type of each in Redis. */
export const QUEUE_KEYS: readonly (readonly [name: string, type: string])[] = [
  ["active", "list"],
  ["wait", "list"],
  ["paused", "list"],
  ["prioritized", "zset"],
  ["delayed", "zset"],
  ["completed", "zset"],
  ["failed", "zset"],
  ["waiting-children", "zset"],
  ["stalled", "set"],
  ["stalled-check", "string"],
  ["limiter", "string"],
  ["meta", "hash"],
  ["events", "stream"],
  ["marker", "zset"],
  ["pc", "string"],
  ["id", "string"],
  ["repeat", "zset"],
];

export function keysOf(options: RedisOptions): Keys {
  const prefix = keyPrefix(options);
  return {
    prefix,
    queue: `${prefix}:${QUEUE}`,
    coordinator: `${prefix}:coordinator`,
    run: `${prefix}:run`,
    workers: `${prefix}:workers`,
    worker: (name) => `${prefix}:worker:${name}`,
  };
}
