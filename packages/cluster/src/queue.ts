import type { QueueOptions } from "bullmq";
import type { Logger } from "pino";
import { atMost, CLOSE_MS, disconnect } from "./connection.js";
import { Queue, type Redis, type Worker } from "./libraries.js";
import { isOutage, isRefusal } from "./outage.js";

/*
 * Settings of BullMQ, which has one job for each question. When a worker is lost in the middle of a job, its lock
 * expires and the next check for such jobs gives the job to another worker, within LOCK_MS + STALLED_MS.
 */

/** Milliseconds until the lock on a job expires unless it is renewed. */
export const LOCK_MS = 8000;
/** Milliseconds between two checks, by each worker, for jobs whose lock has expired. */
export const STALLED_MS = 4000;
/** Number of times that a job may lose its worker. With BullMQ's default of 1, the second loss would fail it. */
export const MOST_LOSSES = 1000;
/** Number of times that a job is tried before it is given up. */
export const TRIES = 3;

/** Errors of BullMQ for a job that is lost: its lock has expired, or nobody needs it any more. */
const LOST_JOB = /^(could not renew lock|Missing lock|Missing key|Lock mismatch) for job\b/i;

/**
 * Opens a queue. BullMQ does not ask for the version of the server, which `checkServer` has checked: interrupted by an
 * outage, that would make the queue unusable.
 */
export function openQueue<Data = unknown, Result = unknown>(
  name: string,
  prefix: string,
  client: Redis,
  options: Pick<QueueOptions, "skipMetasUpdate"> = {},
): Queue<Data, Result> {
  const connection = { connection: client as never, skipVersionCheck: true };
  return new Queue(name, { ...connection, prefix, ...options });
}

/**
 * Cuts the connection of a BullMQ worker that has been paused, and ends it.
 *
 * Unless it is forced to close, BullMQ waits for its last read, and keeps a timer until then. A client of a Redis
 * Cluster that has lost a node may never end that read.
 */
export async function cutOff(
  worker: { close(force: boolean): Promise<void> },
  connection: Redis,
): Promise<void> {
  disconnect(connection);
  await atMost(CLOSE_MS, Promise.allSettled([worker.close(true)]));
}

/** All states of jobs but "failed". */
const NOT_FAILED = [
  ...(["active", "waiting", "prioritized", "delayed", "waiting-children", "completed"] as const),
];

/** The ids of the jobs that are on the lists of a queue. */
export interface ListedJobs {
  readonly all: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
}

/**
 * Looks at the lists of a queue once. (BullMQ's own look at the state of a job takes time that grows with the number of
 * jobs: it assumes Redis 5, since it may not ask for the version, and copies whole lists.)
 */
export async function listJobs(queue: Queue): Promise<ListedJobs> {
  const others = await queue.getRanges([...NOT_FAILED], 0, -1);
  // Afterwards: a job that fails in the meantime is in both.
  const failed = await queue.getRanges(["failed"], 0, -1);
  return { all: new Set([...others, ...failed]), failed: new Set(failed) };
}

/**
 * Handles the errors of a BullMQ worker.
 *
 * @param onRefusal called with each reply of a server that refuses a command
 * @returns a function to call once a second
 */
export function watchErrors<Data, Result>(
  worker: Worker<Data, Result>,
  log: Logger,
  onRefusal: (error: Error) => void,
): () => void {
  let rests = false;
  worker.on("error", (error) => {
    if (isRefusal(error)) {
      // It would ask for jobs again at once, some thousand times a second.
      rests = true;
      worker.pause(true).catch(() => {});
      onRefusal(error);
      return;
    }
    // Connections report outages, and the coordinator queues lost jobs again.
    const isExpected = isOutage(error) || LOST_JOB.test(error.message);
    log[isExpected ? "debug" : "warn"]({ error: error.message }, "queue");
  });
  return () => {
    if (!rests) return;
    rests = false;
    worker.resume();
  };
}
