import { keyPrefix, type RedisOptions } from "./redis-options.js";

/** The keys of a run in Redis. BullMQ stores the answers under the same prefix. */
export interface Keys {
  /** The prefix to pass to BullMQ. */
  readonly prefix: string;
  /** A string: the id of the run whose coordinator leads. It expires. */
  readonly coordinator: string;
  /** A string: the coordinator's description of its run. It expires. */
  readonly run: string;
  /** A stream of one entry: tells workers that the description has changed. It expires. */
  readonly news: string;
  /** A set: the names of workers, some of which may be gone. */
  readonly workers: string;
  /** A string for each worker: its status. It expires. */
  worker(name: string): string;
  /** A stream for each worker: the bounds that it has proven. It expires. */
  bounds(name: string): string;
  /** A stream for a worker that has just joined: the table of another one. It expires. */
  table(name: string): string;
}

/** The name of BullMQ's queue of answers. */
export const QUEUE = "answers";

/** Returns the keys of a run, which all begin with the prefix of `options`. */
export function keysOf(options: RedisOptions): Keys {
  const prefix = keyPrefix(options);
  return {
    prefix,
    coordinator: `${prefix}:coordinator`,
    run: `${prefix}:run`,
    news: `${prefix}:news`,
    workers: `${prefix}:workers`,
    worker: (name) => `${prefix}:worker:${name}`,
    bounds: (name) => `${prefix}:bounds:${name}`,
    table: (name) => `${prefix}:table:${name}`,
  };
}
