import { keyPrefix, type RedisOptions } from "./connection.js";

/** Where a run's messages are in Redis, besides what BullMQ has under the same prefix. */
export interface Keys {
  /** What BullMQ is given. */
  readonly prefix: string;
  /** A string: which run has a coordinator; goes by itself when it is gone. */
  readonly coordinator: string;
  /** A string: what the coordinator says of its run; goes by itself when it is gone. */
  readonly run: string;
  /** A set: the names of the workers there may be. */
  readonly workers: string;
  /** A string for each worker: what it says of itself; goes by itself when it is gone. */
  worker(name: string): string;
  /** A stream for each worker: bounds that it has found; goes by itself when the worker is gone. */
  bounds(name: string): string;
  /** A channel: what is called out to all. */
  readonly control: string;
}

/** The name of BullMQ's queue. */
export const QUEUE = "questions";

export function keysOf(options: RedisOptions): Keys {
  const prefix = keyPrefix(options);
  return {
    prefix,
    coordinator: `${prefix}:coordinator`,
    run: `${prefix}:run`,
    workers: `${prefix}:workers`,
    worker: (name) => `${prefix}:worker:${name}`,
    bounds: (name) => `${prefix}:bounds:${name}`,
    control: `${prefix}:control`,
  };
}
