/*
 * How BullMQ is used: one job a question. A worker that is lost in mid-job is noticed when its lock has run out and
 * the next look for such jobs comes, within LOCK_MS + STALLED_MS; its job is then given to another one.
 */

/** How long a lock on a job holds unless it is renewed, in milliseconds. */
export const LOCK_MS = 8000;
/** How often each worker looks for jobs whose lock has run out, in milliseconds. */
export const STALLED_MS = 4000;
/** How often a job may lose its worker; BullMQ's 1 would have the second loss fail it. */
export const MOST_LOSSES = 1000;
/** How often a job may fail before it is set aside. */
export const TRIES = 3;
