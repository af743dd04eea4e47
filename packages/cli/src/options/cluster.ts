import type { RedisOptions, Sharing } from "@gridlock/cluster";
import { type Command, InvalidArgumentError, Option } from "commander";
import { fileOption } from "./options.js";
import { parseInteger } from "./parse.js";

/** Flags of the commands that use a Redis server. */
export interface RedisFlags {
  readonly redis?: string;
  readonly prefix: string;
  readonly redisCluster?: true;
  readonly redisCa?: string;
}

/** Flags of the commands that run as services. */
export interface ServiceFlags extends RedisFlags {
  readonly metrics?: number;
  readonly logLevel: string;
}

const DEFAULT_PREFIX = "gridlock";
const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "silent"];

/** Adds the options of a Redis server. */
export function withRedis(command: Command, description: string): Command {
  return command
    .addOption(new Option("--redis <url>", description).env("GRIDLOCK_REDIS"))
    .addOption(
      new Option(
        "--prefix <name>",
        "prefix of all keys; runs with different prefixes can share a server",
      )
        .default(DEFAULT_PREFIX)
        .env("GRIDLOCK_PREFIX"),
    )
    .addOption(
      new Option("--redis-cluster", "treat the server as a node of a Redis Cluster").env(
        "GRIDLOCK_REDIS_CLUSTER",
      ),
    )
    .addOption(
      fileOption("--redis-ca <file>", "trust the certificate authorities in this PEM file").env(
        "GRIDLOCK_REDIS_CA",
      ),
    );
}

/** Adds the options of a service. */
export function withService(command: Command, logLevel: string): Command {
  return command
    .addOption(
      new Option(
        "--metrics <port>",
        "serve /metrics (Prometheus) and /health on this port (default: off)",
      )
        .env("GRIDLOCK_METRICS")
        .argParser((text) => parseInteger(text, 0, 65_535)),
    )
    .addOption(
      new Option("--log-level <level>", "least level of the log, JSON lines on standard error")
        .choices(LOG_LEVELS)
        .default(logLevel)
        .env("GRIDLOCK_LOG_LEVEL"),
    );
}

export const shareOption = () =>
  new Option(
    "--share <nodes>",
    "with --redis: share bounds that cost at least this many nodes, or off",
  )
    .default(1)
    .env("GRIDLOCK_SHARE")
    .argParser((text) => (text === "off" ? "off" : parseInteger(text, 1, 1_000_000)));

export const auditOption = () =>
  new Option(
    "--audit <part>",
    "with --redis: fraction of the answers, 0 to 1, to have proven again by another worker",
  )
    .default(0)
    .argParser((text) => {
      const part = Number(text);
      if (text.trim() === "" || !(part >= 0 && part <= 1)) {
        throw new InvalidArgumentError(`expected a number from 0 to 1, not "${text}".`);
      }
      return part;
    });

export const budgetOption = () =>
  new Option(
    "--budget <nodes>",
    "with --redis: requeue a question after this many nodes (default: never)",
  ).argParser((text) => parseInteger(text, 1000, Number.MAX_SAFE_INTEGER));

/** Nodes of work after which a worker announces the node that it is searching. */
const ANNOUNCE_AFTER = 1000;

/** Returns how workers share bounds. */
export function sharingOf(share: number | "off"): Sharing {
  const off = share === "off";
  return { share: off ? null : share, reuse: !off, announce: off ? 0 : ANNOUNCE_AFTER };
}

/** Returns how to reach the server of the flags. */
export function redisOf(flags: RedisFlags & { readonly redis: string }): RedisOptions {
  return {
    url: flags.redis,
    prefix: flags.prefix,
    cluster: flags.redisCluster === true,
    ca: flags.redisCa,
  };
}
