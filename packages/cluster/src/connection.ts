import { type RedisOptions as ClientOptions, Cluster, type ClusterOptions, Redis } from "ioredis";
import { ClusterError } from "./errors.js";
import { explain, otherMode } from "./redis-failures.js";
import {
  type Endpoint,
  endpointOf,
  keyPrefix,
  nameOf,
  type RedisOptions,
} from "./redis-options.js";

export { keyPrefix, type RedisOptions } from "./redis-options.js";

export type RedisClient = Redis | Cluster;

/**
 * What a connection is for.
 *
 * - "commands": a command fails at once while the server is away, so that its caller can do something else.
 *   Only before the first connection are commands kept for it.
 * - "blocking": for BullMQ's workers and events, and for reads that wait, for at most 20 s each. Commands wait
 *   until the server is back, however long that takes.
 */
export type ConnectionUse = "commands" | "blocking";

/** How long `checkServer` waits for one server, in milliseconds. */
const PATIENCE_MS = 5_000;

/**
 * `socketTimeout` is in milliseconds: a server that has owed an answer for so long is taken for lost, and
 * connected to again. Without it a connection that a network dropped silently would wait for a quarter of an hour.
 */
const BEHAVIOUR = {
  commands: { maxRetriesPerRequest: 0, socketTimeout: 10_000 },
  blocking: { maxRetriesPerRequest: null, socketTimeout: 30_000 },
} as const;

/** Milliseconds until the n-th attempt to connect again, the first being 1. */
function retryDelay(attempt: number): number {
  return Math.min(attempt * 200, 2_000);
}

/**
 * Opens a connection, and opens it again whenever it is lost, until it is told to `disconnect` or `quit`. BullMQ
 * must be given the client itself and not its options, from which it cannot make one in an ES module.
 *
 * @param onError is told of each failure, among them each failed attempt to connect; without what was sent, which
 *   may be the password
 * @throws {ClusterError} "bad-url", "tls"; see `endpointOf`
 */
export function connect(
  options: RedisOptions,
  use: ConnectionUse,
  onError: (error: Error) => void = () => {},
): RedisClient {
  const endpoint = endpointOf(options);
  const client = options.cluster
    ? clusterOf(endpoint, BEHAVIOUR[use], { clusterRetryStrategy: retryDelay })
    : serverOf(endpoint, { ...BEHAVIOUR[use], retryStrategy: retryDelay });
  return guarded(client, use, onError);
}

type ServerOptions = Pick<
  ClientOptions,
  "enableReadyCheck" | "lazyConnect" | "maxRetriesPerRequest" | "retryStrategy" | "socketTimeout"
>;

function serverOf({ host, port, db, login }: Endpoint, options: ServerOptions): Redis {
  return new Redis({ host, port, db, ...login, ...options });
}

function clusterOf(
  { host, port, login }: Endpoint,
  nodeOptions: Pick<ClientOptions, "maxRetriesPerRequest" | "socketTimeout" | "disconnectTimeout">,
  options: Pick<ClusterOptions, "clusterRetryStrategy" | "lazyConnect">,
): Cluster {
  return new Cluster([{ host, port }], {
    slotsRefreshTimeout: PATIENCE_MS,
    // Names are left to each connection, which checks the node's certificate against them.
    dnsLookup: (name, done) => done(null, name),
    redisOptions: { ...login, ...nodeOptions },
    ...options,
  });
}

/** Sees to it that a client, and those that BullMQ makes from it, never end the process or tell the password. */
function guarded(
  client: RedisClient,
  use: ConnectionUse,
  onError: (error: Error) => void,
): RedisClient {
  client.on("error", (error: Error) => {
    forgetCommand(error);
    onError(error);
  });
  if (use === "commands") {
    client.once("ready", () => {
      client.options.enableOfflineQueue = false;
    });
  }
  const duplicate = client.duplicate.bind(client) as (...args: unknown[]) => RedisClient;
  client.duplicate = ((...args: unknown[]) => {
    const twin = duplicate(...args);
    twin.options.enableOfflineQueue = true;
    return guarded(twin, use, onError);
  }) as never;
  return client;
}

/** ioredis keeps a refused command in its error, and a refused login is a command with the password in it. */
function forgetCommand(error: Error): void {
  const { lastNodeError } = error as { lastNodeError?: Error };
  if (lastNodeError) forgetCommand(lastNodeError);
  if ("command" in error) delete error.command;
}

/**
 * Sees, before a command begins, whether the server can be used for a run: it answers, accepts the login, is new
 * enough, keeps what it is given, and takes writes under the prefix. It leaves nothing open.
 *
 * @throws {ClusterError} one sentence on what is wrong and what to do
 */
export async function checkServer(options: RedisOptions): Promise<void> {
  keyPrefix(options);
  const endpoint = endpointOf(options);
  const server = serverOf(endpoint, {
    lazyConnect: true,
    enableReadyCheck: false,
    retryStrategy: null,
    maxRetriesPerRequest: null,
  });
  // The first failure is the reason; what follows is that the connection is closed.
  let reason: Error | undefined;
  server.on("error", (error: Error) => {
    reason ??= error;
  });
  try {
    await inTime(inspect(server, options, endpoint, () => reason));
  } catch (error) {
    if (error instanceof ClusterError) throw error;
    if (error instanceof OutOfTime) throw tooLate(server, endpoint);
    throw explain(options, endpoint, reason ?? (error as Error));
  } finally {
    await end(server);
  }
  if (options.cluster) await checkNodes(options, endpoint);
}

class OutOfTime extends Error {}

function tooLate(server: Redis, endpoint: Endpoint): ClusterError {
  const silent = `Redis at ${nameOf(endpoint)} did not`;
  const time = `within ${PATIENCE_MS / 1_000} s`;
  // A server without TLS takes its first message for the beginning of a command, and waits for the rest.
  const connected = server.stream?.remotePort !== undefined;
  if (endpoint.login.tls && connected && server.status === "connecting") {
    return new ClusterError(
      "tls",
      `${silent} begin TLS ${time}; expected a port that speaks it, or redis:// in place of rediss://`,
    );
  }
  return new ClusterError(
    "unreachable",
    `${silent} answer ${time}; expected a Redis server that is up and can be reached from here`,
  );
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new OutOfTime()), PATIENCE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Scripts, keys and channels under the prefix: all that a run needs. */
const PROBE = "redis.call('set', KEYS[1], '', 'px', 1) return redis.call('publish', KEYS[1], '')";

async function inspect(
  server: Redis,
  options: RedisOptions,
  endpoint: Endpoint,
  reason: () => Error | undefined,
): Promise<void> {
  await server.connect();
  // A database that does not exist closes no connection: the client would go on in database 0.
  const failed = reason();
  if (failed) throw failed;

  const info = parseInfo(await server.info());
  const redis = `Redis at ${nameOf(endpoint)}`;
  const version = info.get("redis_version");
  if (version === undefined) {
    throw new ClusterError(
      "not-redis",
      `${nameOf(endpoint)} does not tell a version; expected a Redis server`,
    );
  }
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < 6 || (major === 6 && minor < 2)) {
    throw new ClusterError("old-redis", `${redis} has version ${version}; expected 6.2 or newer`);
  }
  const isCluster = info.get("cluster_enabled") === "1";
  if (isCluster !== options.cluster) throw new ClusterError(...otherMode(endpoint, isCluster));
  const policy = info.get("maxmemory_policy");
  if (policy !== undefined && policy !== "noeviction") {
    throw new ClusterError(
      "evicting",
      `${redis} may drop what it is given: its maxmemory-policy is ${policy}; expected noeviction, which redis-cli CONFIG SET maxmemory-policy noeviction sets`,
    );
  }
  if (!isCluster) {
    await server.eval(PROBE, 1, probeKey(options));
    return;
  }
  const state = parseInfo((await server.cluster("INFO")) as string).get("cluster_state");
  if (state !== "ok") {
    throw new ClusterError(
      "cluster-mode",
      `the Redis Cluster of ${nameOf(endpoint)} is in state ${state}; expected ok, with a node for every slot`,
    );
  }
}

function probeKey(options: RedisOptions): string {
  return `${keyPrefix(options)}:check`;
}

/** The fields of a reply of lines `name:value`. */
function parseInfo(reply: string): Map<string, string> {
  return new Map(
    reply.split(/\r?\n/).flatMap((line): [string, string][] => {
      const colon = line.indexOf(":");
      return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1)]];
    }),
  );
}

/** Sees whether the node that holds the keys of a run can be reached at the address that it announces. */
async function checkNodes(options: RedisOptions, endpoint: Endpoint): Promise<void> {
  const cluster = clusterOf(
    endpoint,
    { maxRetriesPerRequest: 0, disconnectTimeout: 100 },
    { lazyConnect: true, clusterRetryStrategy: () => null },
  );
  cluster.on("error", () => {}); // told by what was awaited
  let failed = "";
  cluster.on("node error", (error: Error, node: string) => {
    failed = `${node}: ${error.message}`;
  });
  // When no node can be used `connect` may say nothing, but the client has ended.
  const ended = new Promise<never>((_, reject) => {
    cluster.once("end", () => reject(new Error("no node answers")));
  });
  const probe = async () => {
    await cluster.connect();
    await cluster.eval(PROBE, 1, probeKey(options));
  };
  try {
    await inTime(Promise.race([probe(), ended]));
  } catch (error) {
    if ((error as Error).name === "ReplyError") throw explain(options, endpoint, error as Error);
    throw new ClusterError(
      "unreachable",
      `the Redis Cluster of ${nameOf(endpoint)} names a node that did not answer; expected nodes that can be reached from here (${failed || `nothing within ${PATIENCE_MS / 1_000} s`})`,
    );
  } finally {
    await end(cluster);
  }
}

/** Closes a connection at once, without waiting for a server that may never answer. */
async function end(client: RedisClient): Promise<void> {
  if (client.status === "end") return;
  const ended = new Promise((resolve) => {
    client.once("end", resolve);
  });
  client.disconnect();
  // Without a stream it has not begun to connect.
  if (client instanceof Redis) client.stream?.destroy();
  await ended;
}
