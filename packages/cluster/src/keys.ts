import { keyPrefix, type RedisOptions } from "./redis-options.js";

/** The name of BullMQ's queue of answers. */
export const QUEUE = "answers";

/**
 * Returns the keys of a run, which all begin with the prefix of `options`. BullMQ stores the answers
 * under the same prefix.
 */
export function keysOf(options: RedisOptions) {
  const prefix = keyPrefix(options);
  return {
    /** The prefix to pass to BullMQ. */
    prefix,
    /** A string: the id of the run whose coordinator leads. It expires. */
    coordinator: `${prefix}:coordinator`,
    /** A string: the coordinator's description of its run. It expires. */
    run: `${prefix}:run`,
    /** A stream of one entry: tells workers that the description has changed. It expires. */
    news: `${prefix}:news`,
    /** A set: the names of workers, some of which may be gone. */
    workers: `${prefix}:workers`,
    /** A string for each worker: its status. It expires. */
    worker: (name: string) => `${prefix}:worker:${name}`,
    /** A stream for each worker: the bounds that it has proven. It expires. */
    bounds: (name: string) => `${prefix}:bounds:${name}`,
    /** A stream for a worker that has just joined: the table of another one. It expires. */
    table: (name: string) => `${prefix}:table:${name}`,
  };
}

/** The keys of a run in Redis. */
export type Keys = ReturnType<typeof keysOf>;
