/* BullMQ, loaded as the CommonJS module that it is; see `ioredis.ts`. */
import { createRequire } from "node:module";

/** The classes of BullMQ. */
export const { Queue, QueueEvents, Worker } = createRequire(import.meta.url)(
  "bullmq",
) as typeof import("bullmq");
/** A queue of jobs. */
export type Queue<Data = unknown, Result = unknown> = import("bullmq").Queue<Data, Result>;
/** A reader of the events of a queue. */
export type QueueEvents = import("bullmq").QueueEvents;
/** A taker of jobs. */
export type Worker<Data, Result> = import("bullmq").Worker<Data, Result>;
