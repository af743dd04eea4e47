/*
 * The Redis client, loaded as the CommonJS module that it is. To import it or BullMQ, Node would
 * also parse each of their 300 files for the names that it exports: a quarter of a second of
 * processor time at the start of each worker and coordinator.
 */
import { createRequire } from "node:module";
import { DISCONNECT_MS } from "./timing.js";

const require = createRequire(import.meta.url);

/** The classes of ioredis. */
export const { AbstractConnector, Redis } = require("ioredis") as typeof import("ioredis");
/** Settings of a connection that fails at once, and is not made again. */
export const ONCE = {
  lazyConnect: true,
  enableReadyCheck: false,
  retryStrategy: null,
  maxRetriesPerRequest: null,
  disconnectTimeout: DISCONNECT_MS,
} as const;
/** A connection to a Redis server. */
export type Redis = import("ioredis").Redis;
