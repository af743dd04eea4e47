import { setTimeout as sleep } from "node:timers/promises";
import { orAborted } from "@gridlock/threads";
import { clientOf } from "./connection.js";
import { ClusterError } from "./errors.js";
import { ONCE, type Redis } from "./ioredis.js";
import { explain, otherMode } from "./redis-failures.js";
import {
  type Endpoint,
  endpointOf,
  keyPrefix,
  nameOf,
  type RedisOptions,
} from "./redis-options.js";
import { CHECK_MS, RETRY_MS, START_MS } from "./timing.js";

/**
 * Checks, before a command begins, that the server can be used for a run: it answers, accepts the
 * login, is new enough, evicts no keys, and accepts writes under the prefix. Closes its
 * connections.
 *
 * @param onWait called once, when a wait for a server that is away begins; without it, that is an
 *   error at once
 * @throws {ClusterError} with the problem and its remedy, in a sentence
 */
export async function checkServer(
  options: RedisOptions,
  onWait?: (reason: ClusterError) => void,
): Promise<void> {
  const deadline = performance.now() + (onWait ? START_MS : 0);
  let waits = false;
  for (;;) {
    try {
      return await checkOnce(options);
    } catch (error) {
      const passing = error instanceof ClusterError && error.passing;
      if (!passing || performance.now() + RETRY_MS > deadline) throw error;
      if (!waits) onWait?.(error);
      waits = true;
      await sleep(RETRY_MS);
    }
  }
}

async function checkOnce(options: RedisOptions): Promise<void> {
  keyPrefix(options);
  const endpoint = endpointOf(options);
  const { client: server, reason, silence } = briefly({ ...options, cluster: false }, CHECK_MS);
  try {
    await orAborted(inspect(server, options, endpoint, reason), silence);
  } catch (error) {
    if (error instanceof ClusterError) throw error;
    if (error === silence.reason) throw tooLate(server, endpoint);
    throw explain(options, endpoint, reason() ?? (error as Error));
  } finally {
    await end(server);
  }
  if (options.cluster) await checkOwner(options, endpoint);
}

/**
 * Returns a client that connects only once, a function that returns why it has failed, and a signal
 * that is aborted when its server has not answered for some milliseconds. Replies that take seconds
 * each are no silence, however many it has to wait for.
 */
function briefly(options: RedisOptions, milliseconds: number) {
  const client = clientOf(options, ONCE);
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), milliseconds);
  client.once("connect", () => {
    timer.refresh();
    client.stream.on("data", () => timer.refresh());
  });
  client.once("end", () => clearTimeout(timer));
  // The first failure has the reason; the next one only reports that the connection is closed.
  let reason: Error | undefined;
  client.on("error", (error: Error) => {
    reason ??= error;
  });
  return { client, reason: () => reason, silence: silence.signal };
}

function tooLate(server: Redis, endpoint: Endpoint): ClusterError {
  const silent = `Redis at ${nameOf(endpoint)} did not`;
  const time = `within ${CHECK_MS / 1_000} s`;
  // A server without TLS treats the first TLS message as an unfinished command, and waits for the
  // rest.
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
    { passing: true },
  );
}

/** Tries the scripts, keys and channels that a run needs under the prefix. */
const PROBE = "redis.call('set', KEYS[1], '', 'px', 1) return redis.call('publish', KEYS[1], '')";

async function inspect(
  server: Redis,
  options: RedisOptions,
  endpoint: Endpoint,
  reason: () => Error | undefined,
): Promise<void> {
  await server.connect();
  // Selecting a database that does not exist closes no connection: the client would stay in
  // database 0.
  const failed = reason();
  if (failed) throw failed;

  const info = parseInfo(await server.info());
  const redis = `Redis at ${nameOf(endpoint)}`;
  const version = info.get("redis_version");
  if (version === undefined) {
    throw new ClusterError(
      "not-redis",
      `${nameOf(endpoint)} does not report a version; expected a Redis server`,
    );
  }
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < 6 || (major === 6 && minor < 2)) {
    throw new ClusterError("old-redis", `${redis} has version ${version}; expected 6.2 or newer`);
  }
  const isCluster = info.get("cluster_enabled") === "1";
  if (isCluster !== options.cluster) throw otherMode(endpoint, isCluster);
  const policy = info.get("maxmemory_policy");
  if (policy !== undefined && policy !== "noeviction") {
    throw new ClusterError(
      "evicting",
      `${redis} may evict keys: its maxmemory-policy is ${policy}; expected noeviction (redis-cli CONFIG SET maxmemory-policy noeviction)`,
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
      { passing: true },
    );
  }
}

function probeKey(options: RedisOptions): string {
  return `${keyPrefix(options)}:check`;
}

/** Returns the fields of a reply of lines `name:value`. */
function parseInfo(reply: string): Map<string, string> {
  const lines = reply.matchAll(/^([^:\r\n]*):(.*)$/gm);
  return new Map(Array.from(lines, ([, name = "", value = ""]) => [name, value]));
}

/**
 * Checks that the node that has the keys of a run can be reached at the address that it announces.
 */
async function checkOwner(options: RedisOptions, endpoint: Endpoint): Promise<void> {
  // To find the owner, its client may ask several nodes before it connects.
  const { client: owner, reason, silence } = briefly(options, START_MS);
  const probe = async () => {
    await owner.connect();
    await owner.eval(PROBE, 1, probeKey(options));
  };
  try {
    await orAborted(probe(), silence);
  } catch (error) {
    if ((error as Error).name === "ReplyError") throw explain(options, endpoint, error as Error);
    throw new ClusterError(
      "unreachable",
      `the Redis Cluster of ${nameOf(endpoint)} names a node that did not answer; expected nodes that can be reached from here (${reason()?.message ?? `nothing within ${START_MS / 1_000} s`})`,
      { passing: true },
    );
  } finally {
    await end(owner);
  }
}

/** Closes a connection at once, without waiting for a server that may never answer. */
async function end(client: Redis): Promise<void> {
  if (client.status === "end") return;
  const ended = new Promise((resolve) => {
    client.once("end", resolve);
  });
  client.disconnect();
  client.stream?.destroy(); // without a stream, it has not begun to connect
  await ended;
}
