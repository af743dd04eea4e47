import { keyPrefix, type RedisOptions } from "./redis-options.js";

/** The name of BullMQ's queue of jobs. */
export const QUEUE = "subtrees";

/**
 * Returns the keys and channels of a run, which all begin with the prefix of `options`. BullMQ
 * stores the queue under the same prefix.
 */
export function keysOf(options: RedisOptions) {
  const prefix = keyPrefix(options);
  return {
    /** The prefix to pass to BullMQ. */
    prefix,
    /** A string: the id of the run whose coordinator leads. It expires. */
    coordinator: `${prefix}:coordinator`,
    /** A string: the coordinator's description of its run. It expires. Also a channel of them. */
    run: `${prefix}:run`,
    /** A channel: the ids of jobs that no longer matter. */
    cancelled: `${prefix}:cancelled`,
    /** A channel: the status of a worker that has the answer to the question. */
    answers: `${prefix}:answers`,
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
