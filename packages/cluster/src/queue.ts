/*
 * Settings of BullMQ, which has one job for each question or task. When a worker is lost in the middle of a job, its
 * lock expires and the next check for such jobs gives the job to another worker, within LOCK_MS + STALLED_MS. Nobody
 * else reads a worker's own queue; `worker-queues.ts` gives its jobs to others.
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
export const LOST_JOB = /^(could not renew lock|Missing lock|Missing key|Lock mismatch) for job\b/i;
