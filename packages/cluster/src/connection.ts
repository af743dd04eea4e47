import type { RedisOptions as ClientOptions } from "ioredis";
import { Redis } from "./ioredis.js";
import { endpointOf, keyPrefix, type RedisOptions } from "./redis-options.js";
import { slotOwner } from "./slot-owner.js";
import { MOST_RECONNECT_MS, RECONNECT_MS, SILENT_MS } from "./timing.js";

/**
 * The purpose of a connection.
 *
 * - "commands": a command fails at once while the server is away, so that its caller can do
 *   something else. Commands are kept only until the first connection.
 * - "blocking": for the coordinator's BullMQ worker, and for reads that wait. Commands wait
 *   until the server is back, however long that takes.
 */
export type ConnectionUse = "commands" | "blocking";

const BEHAVIOUR = {
  commands: { maxRetriesPerRequest: 0, socketTimeout: SILENT_MS.commands },
  blocking: { maxRetriesPerRequest: null, socketTimeout: SILENT_MS.blocking },
} as const;

/**
 * Returns whether a reply means that another server has the keys now. The server has become a
 * replica, and another one has its address, or takes it over soon; or another node of the Redis
 * Cluster has the slot. Only a new connection reaches it.
 */
function isElsewhere({ message }: Error): boolean {
  return /\b(READONLY|UNBLOCKED|MOVED|ASK)\b/.test(message);
}

/** The clients that BullMQ has duplicated from each client. */
const twins = new WeakMap<Redis, Redis[]>();

/**
 * Opens a connection, and opens it again whenever it is lost, until {@link disconnect}. Pass the
 * client itself to BullMQ, not its options: BullMQ cannot make a client from them in an ES module.
 *
 * @param onError receives each failure, including each failed attempt to connect; the errors do not
 *   contain the commands, which may include the password
 * @throws {ClusterError} "bad-url", "tls"; see `endpointOf`
 */
export function connect(
  options: RedisOptions,
  use: ConnectionUse,
  onError: (error: Error) => void = () => {},
): Redis {
  const client = clientOf(options, {
    ...BEHAVIOUR[use],
    retryStrategy: (attempt) => Math.min(attempt * RECONNECT_MS, MOST_RECONNECT_MS),
    reconnectOnError: isElsewhere,
  });
  return guarded(client, use, onError);
}

/** Closes a connection, and its duplicates by BullMQ, at once and for good. */
export function disconnect(client: Redis): void {
  // Between two attempts to reconnect, ioredis would drop the connection without ending it, and
  // callers would wait for their commands forever. Interrupting an attempt ends it.
  if (client.status === "reconnecting") client.connect().catch(() => {});
  // For one that has ended, ioredis would keep the process alive for two seconds:
  // findings/ioredis-disconnect-ended.sh.
  if (client.status !== "end") client.disconnect();
  // BullMQ would connect a client again whose connection ends while it waits for a job.
  client.connect = () => Promise.reject(new Error("Connection is closed."));
  for (const twin of twins.get(client) ?? []) disconnect(twin);
}

/**
 * Notices if a connection that hears channels was dropped silently: its commands have a time limit,
 * but it has none under way. Call it once a second.
 */
export function probe(ears: Redis): void {
  if (ears.status === "ready") ears.ping().catch(() => {});
}

/** Waits until a promise settles or a time has passed. */
export async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

type ConnectionOptions = Pick<
  ClientOptions,
  | "disconnectTimeout"
  | "enableReadyCheck"
  | "lazyConnect"
  | "maxRetriesPerRequest"
  | "reconnectOnError"
  | "retryStrategy"
  | "socketTimeout"
>;

/** Returns a client of a server or, in a Redis Cluster, of the node that has the keys of a run. */
export function clientOf(redis: RedisOptions, options: ConnectionOptions): Redis {
  const endpoint = endpointOf(redis);
  const { host, port, db, login } = endpoint;
  const owner = redis.cluster && { Connector: slotOwner(endpoint, keyPrefix(redis)) };
  return new Redis({ host, port, db, ...login, ...options, ...owner });
}

/** Keeps a client, and its duplicates, from ending the process or revealing the password. */
function guarded(client: Redis, use: ConnectionUse, onError: (error: Error) => void): Redis {
  client.on("error", (error: Error) => {
    // ioredis keeps the refused command in its error: that of a login has the password.
    if ("command" in error) delete error.command;
    onError(error);
  });
  if (use === "commands") {
    client.once("ready", () => {
      client.options.enableOfflineQueue = false;
    });
  }
  const made: Redis[] = [];
  twins.set(client, made);
  const duplicate = client.duplicate.bind(client) as (...args: unknown[]) => Redis;
  client.duplicate = ((...args: unknown[]) => {
    const twin = duplicate(...args);
    twin.options.enableOfflineQueue = true;
    made.push(twin);
    return guarded(twin, use, onError);
  }) as never;
  return client;
}
