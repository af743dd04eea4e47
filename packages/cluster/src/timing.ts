/*
 * The times of the cluster, in milliseconds, and the numbers of attempts. `docs/protocol.md` lists
 * them, and `test/timing.test.ts` checks that list and the relations between them.
 */

/** Between two descriptions of a run, and between two status reports of a worker. */
export const BEAT_MS = 1000;
/**
 * Without a description or a report, until a coordinator or a worker counts as gone. Long enough
 * for several beats to be lost and for a connection to be made again.
 */
export const GONE_MS = 10_000;
/** For which a second coordinator waits for the first to expire. */
export const LEAD_MS = GONE_MS + 2 * BEAT_MS;
/** Between two attempts of a second coordinator to take the lead. */
export const LEAD_RETRY_MS = BEAT_MS / 4;
/**
 * For which the run key may hold only messages of another protocol. A coordinator of that protocol
 * keeps renewing its message for longer; a stray message is overwritten by our coordinator within a
 * second.
 */
export const FOREIGN_MS = 10_000;
/** Between two measurements of what a worker has searched and shared: each report has a new one. */
export const MEASURE_MS = BEAT_MS / 2;
/** Without a worker, until a coordinator with an open question logs a warning. */
export const NO_WORKERS_MS = 5000;
/** Without a reply from Redis, until /health fails. */
export const UNHEALTHY_MS = 5000;

/**
 * For which a command that starts waits for a server that is away, for example while it restarts,
 * and for the node of a Redis Cluster that has its keys.
 */
export const START_MS = 10_000;
/** Without an answer, until a server counts as unreachable when a command starts. */
export const CHECK_MS = 5000;
/** To wait for each answer of a node of a Redis Cluster before the next one is asked. */
export const NODE_MS = 3000;
/**
 * Without an answer, until a connection counts as lost and is made again; without such a limit, one
 * that a network dropped silently would wait for a quarter of an hour. "Blocking" is for reads that
 * wait, of which those for answers are the longest.
 */
export const SILENT_MS = { commands: 10_000, blocking: 30_000 } as const;
/** Before the first attempt to reconnect; the n-th one waits n times as long, up to the most. */
export const RECONNECT_MS = 200;
export const MOST_RECONNECT_MS = 2000;
/** To wait for a connection, or for BullMQ, to end after it was cut. */
export const DISCONNECT_MS = 100;
export const CLOSE_MS = 2000;

/** Between two attempts at a command, while the server is away or refuses commands. */
export const RETRY_MS = 200;
/** For which the server may refuse commands before the run ends. */
export const REFUSED_MS = 30_000;
/** Without a refusal, until the server counts as accepting commands again. */
export const SETTLED_MS = 3000;
/** Between two lines about the same trouble. */
export const REMIND_MS = 60_000;
/** Failures of a search in a row after which its worker ends, and the time between attempts. */
export const MOST_SEARCH_FAILURES = 3;
export const SEARCH_RETRY_MS = 500;

/** That a worker waits for a subtree before it asks again. */
export const QUEUE_WAIT_MS = 1000;
/** Until BullMQ's lock on a subtree that a worker has taken expires. */
export const LOCK_MS = 8000;
/** Between two of BullMQ's checks for such subtrees, which others then take. */
export const STALLED_MS = 4000;
/** Without a line of best play, until the coordinator waits for no more of them. */
export const LINES_MS = 15_000;
/** After which a question is divided: those that are answered sooner would only be delayed. */
export const DIVIDE_MS = 20;
/** Until the coordinator queues more subtrees if it has just queued as many as it may. */
export const REFILL_MS = 10;

/**
 * Between two exchanges of bounds with one other worker; with more, a part of it, but at least
 * LEAST_SHARE_MS. What other workers have proven meanwhile is searched again, and each exchange
 * empties caches that a search on the same processor fills again: on two processors, 5 ms are a
 * tenth slower for two workers than 10 ms, and 20 ms 2 % faster.
 */
export const SHARE_MS = 20;
export const LEAST_SHARE_MS = 5;
/** Between two looks at the journal if there is no other worker. */
export const ALONE_MS = 40;
/** That a read of bounds waits for a batch. */
export const READ_MS = 500;
/** Without news of others, until their streams are read from the beginning. */
export const REREAD_MS = 5000;
/** At most, for the last batch of a worker that leaves. */
export const FLUSH_MS = 1000;
/** Between two looks at how many entries of a table its receiver has not read yet. */
export const TABLE_MS = 100;
/** Of a worker's batches, at the rate at which it sends them, that its stream keeps. */
export const STREAM_MS = 2560;
/** Batches of each worker per read. A reader that finds this many skips to the newest. */
export const READ_BATCHES = 250;
