import type { RedisOptions, Sharing } from "@gridlock/cluster";
import { type Command, InvalidArgumentError, Option } from "commander";
import { fileOption, parseInteger } from "./options.js";

/** Flags of the commands that speak to a Redis server. */
export interface RedisFlags {
  readonly redis?: string;
  readonly prefix: string;
  readonly redisCluster?: true;
  readonly redisCa?: string;
}

/** Flags of the commands that run for long beside others. */
export interface ServiceFlags extends RedisFlags {
  readonly metrics?: number;
  readonly logLevel: string;
}

/** What all keys of a run begin with, unless said otherwise. */
const DEFAULT_PREFIX = "gridlock";
const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "silent"];

/** Adds the options by which a command finds a Redis server. */
export function withRedis(command: Command, description: string): Command {
  return command
    .addOption(new Option("--redis <url>", description).env("GRIDLOCK_REDIS"))
    .addOption(
      new Option(
        "--prefix <name>",
        "what all keys begin with; runs under different ones share a server",
      )
        .default(DEFAULT_PREFIX)
        .env("GRIDLOCK_PREFIX"),
    )
    .addOption(
      new Option("--redis-cluster", "the server is a node of a Redis Cluster").env(
        "GRIDLOCK_REDIS_CLUSTER",
      ),
    )
    .addOption(
      fileOption("--redis-ca <file>", "trust the authorities in this PEM file").env(
        "GRIDLOCK_REDIS_CA",
      ),
    );
}

/** Adds the options of a command that runs for long beside others. */
export function withService(command: Command, logLevel: string): Command {
  return command
    .addOption(
      new Option("--metrics <port>", "serve /metrics (Prometheus) and /health at this port")
        .env("GRIDLOCK_METRICS")
        .argParser((text) => parseInteger(text, 0, 65_535)),
    )
    .addOption(
      new Option("--log-level <level>", "what is logged, as JSON on standard error")
        .choices(LOG_LEVELS)
        .default(logLevel)
        .env("GRIDLOCK_LOG_LEVEL"),
    );
}

export const shareOption = () =>
  new Option(
    "--share <nodes>",
    "with --redis: workers pass on bounds that have cost so many nodes; off: none",
  )
    .default(1)
    .env("GRIDLOCK_SHARE")
    .argParser((text) => (text === "off" ? "off" : parseInteger(text, 1, 1_000_000)));

export const auditOption = () =>
  new Option(
    "--audit <part>",
    "with --redis: have this part of the answers, 0 to 1, proven again by another worker",
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
    "with --redis: put a question down after so many nodes, to be taken up again",
  ).argParser((text) => parseInteger(text, 1000, Number.MAX_SAFE_INTEGER));

/** Nodes of work after which a worker tells the others of a node that it is searching. */
const ANNOUNCE_AFTER = 1000;

/** How workers search together. */
export function sharingOf(share: number | "off"): Sharing {
  const off = share === "off";
  return { share: off ? null : share, reuse: !off, announce: off ? 0 : ANNOUNCE_AFTER };
}

/** How to reach the server that the flags name. */
export function redisOf(flags: RedisFlags & { readonly redis: string }): RedisOptions {
  return {
    url: flags.redis,
    prefix: flags.prefix,
    cluster: flags.redisCluster === true,
    ca: flags.redisCa,
  };
}
