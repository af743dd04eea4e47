/*
 * BullMQ and its Redis client, loaded as the CommonJS modules that they are. To import them, Node
 * would also parse each of their 300 files for the names that it exports: a quarter of a second of
 * processor time at the start of each worker and coordinator.
 */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

export const { AbstractConnector, Redis } = require("ioredis") as typeof import("ioredis");
export type Redis = import("ioredis").Redis;

export const { DelayedError, Queue, UnrecoverableError, WaitingError, Worker } =
  require("bullmq") as typeof import("bullmq");
export type Queue<Data = unknown, Result = unknown> = import("bullmq").Queue<Data, Result>;
export type Worker<Data, Result> = import("bullmq").Worker<Data, Result>;
