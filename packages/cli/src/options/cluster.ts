import { readFileSync } from "node:fs";
import { endpointOf, type RedisOptions } from "@gridlock/cluster/redis-options";
import { reasonOf } from "@gridlock/store";
import { type Command, Option } from "commander";
import { UsageError } from "../exit.js";
import { printError } from "../output/print.js";
import { parseInteger } from "./parse.js";
import { existingFileOption } from "./paths.js";

/** Flags of the commands that use a Redis server. */
export interface RedisFlags {
  readonly redis?: string;
  readonly prefix: string;
  readonly redisCluster?: true;
  readonly redisCa?: string;
  readonly redisPasswordFile?: string;
}

/** Flags of the commands that run as services. */
export interface ServiceFlags extends RedisFlags {
  readonly metrics?: number;
  readonly metricsHost: string;
  readonly logLevel: string;
}

/** The variable for the password, which has no option: other users can read command lines. */
const PASSWORD_VARIABLE = "GRIDLOCK_REDIS_PASSWORD";
const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "silent"];

/** Adds the options of a Redis server. */
export function withRedis(command: Command, description: string): Command {
  return command
    .addOption(new Option("--redis <url>", description).env("GRIDLOCK_REDIS"))
    .addOption(
      existingFileOption(
        "--redis-password-file <file>",
        `read the Redis password from this file, unless the URL has one (default: from ${PASSWORD_VARIABLE})`,
      ).env("GRIDLOCK_REDIS_PASSWORD_FILE"),
    )
    .addOption(
      new Option(
        "--prefix <name>",
        "prefix of all keys; runs with different prefixes can share a server",
      )
        .default("gridlock")
        .env("GRIDLOCK_PREFIX"),
    )
    .addOption(
      new Option(
        "--redis-cluster",
        "connect to a Redis Cluster, of which the server is a node",
      ).env("GRIDLOCK_REDIS_CLUSTER"),
    )
    .addOption(
      existingFileOption(
        "--redis-ca <file>",
        "PEM file of the certificate authorities to trust (default: those of Node.js)",
      ).env("GRIDLOCK_REDIS_CA"),
    );
}

/** Adds the options of a service. */
export function withService(command: Command, logLevel: string): Command {
  return command
    .addOption(
      new Option(
        "--metrics <port>",
        "port to serve /metrics (Prometheus) and /health on (default: off)",
      )
        .env("GRIDLOCK_METRICS")
        .argParser((text) => parseInteger(text, 0, 65_535)),
    )
    .addOption(
      new Option(
        "--metrics-host <address>",
        "address to serve them at, 0.0.0.0 for all addresses of this machine",
      )
        .default("127.0.0.1")
        .env("GRIDLOCK_METRICS_HOST"),
    )
    .addOption(
      new Option(
        "--log-level <level>",
        "least severe messages to log on standard error: text in a terminal, otherwise JSON lines",
      )
        .choices(LOG_LEVELS)
        .default(logLevel)
        .env("GRIDLOCK_LOG_LEVEL"),
    );
}

/**
 * Returns the password of the file or of the environment, if there is one.
 *
 * @throws {UsageError} if the file cannot be read or is empty
 */
function passwordOf({
  redisPasswordFile: file,
}: Pick<RedisFlags, "redisPasswordFile">): string | undefined {
  if (file === undefined) return process.env[PASSWORD_VARIABLE] || undefined;
  let password: string;
  try {
    password = readFileSync(file, "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    throw new Error(`--redis-password-file ${file} cannot be read (${reasonOf(error)})`);
  }
  if (password === "") {
    throw new UsageError(`--redis-password-file ${file} is empty; expected the password`);
  }
  return password;
}

/**
 * Returns how to reach the server of the flags; `undefined` if they name none.
 *
 * @throws {ClusterError} "bad-url" if the URL is not valid, "tls" if the file of authorities has no
 *   certificate
 */
export function redisOf(flags: RedisFlags): RedisOptions | undefined {
  if (flags.redis === undefined) return undefined;
  const redis = {
    url: flags.redis,
    password: passwordOf(flags),
    prefix: flags.prefix,
    cluster: flags.redisCluster === true,
    ca: flags.redisCa,
  };
  endpointOf(redis);
  return redis;
}

/** Returns what {@link redisOf} does; waits some seconds until the server answers. */
export async function reachRedis(flags: RedisFlags): Promise<RedisOptions | undefined> {
  const redis = redisOf(flags);
  if (redis === undefined) return undefined;
  const { checkServer } = await import("@gridlock/cluster");
  await checkServer(redis, ({ message }) => printError(`waiting for Redis: ${message}`));
  return redis;
}
