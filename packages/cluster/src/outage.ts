import { setTimeout as sleep } from "node:timers/promises";
import { StoreError } from "@gridlock/store";
import type { Logger } from "pino";
import { ClusterError } from "./errors.js";
import { explain } from "./redis-failures.js";
import { endpointOf, nameOf, type RedisOptions } from "./redis-options.js";
import { REFUSED_MS, REMIND_MS, RETRY_MS, SETTLED_MS } from "./timing.js";

/** Errors of ioredis and BullMQ for a connection that is lost or not yet ready. */
const LOST =
  /Connection is closed|Command aborted|max retries per request|Stream isn't writeable|Socket timeout|Command timed out|ECONN|EPIPE|ETIMEDOUT/;
/** Error replies of a server that is starting, failing over or busy, or without the keys. */
const NOT_READY = /^(LOADING|MASTERDOWN|CLUSTERDOWN|MOVED|ASK|TRYAGAIN|BUSY|UNKILLABLE)\b/;

/** Returns whether an error means that the server is away, not that it refuses a command. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { message, syscall } = error as NodeJS.ErrnoException;
  if (error.name === "ReplyError") return NOT_READY.test(message);
  return LOST.test(message) || syscall === "connect";
}

/** Returns whether an error is the reply of a server that refuses a command. */
export function isRefusal(error: Error): boolean {
  return error.name === "ReplyError" && !NOT_READY.test(error.message);
}

/** Returns whether an error means that a key has another type than the command expects. */
export function isDamage(error: unknown): boolean {
  return error instanceof Error && error.message.includes("WRONGTYPE");
}

type Trouble = "away" | "refusing";

/** The times when a trouble began, was last logged, and was last met. */
interface Times {
  readonly since: number;
  said: number;
  last: number;
}

const WORDS = {
  away: ["waiting for Redis", "still waiting for Redis", "Redis is back"],
  refusing: [
    `Redis refuses commands; trying again for ${REFUSED_MS / 1000} s`,
    "Redis still refuses commands",
    "Redis accepts commands again",
  ],
} as const satisfies Record<Trouble, readonly [begin: string, remind: string, end: string]>;

/**
 * Keeps track of whether the server can be reached and accepts commands. Logs each trouble in one
 * line when it begins, one a minute, and one when it ends, however many commands fail.
 */
export class Reach {
  readonly #log: Logger;
  readonly #redis: RedisOptions;
  #heard = performance.now();
  /** The troubles under way. */
  readonly #troubles = new Map<Trouble, Times>();

  constructor(log: Logger, redis: RedisOptions) {
    this.#log = log;
    this.#redis = redis;
  }

  /** Explains in a sentence why a command has failed. */
  #explain(error: Error): string {
    const { name, message, code } = error as NodeJS.ErrnoException;
    const endpoint = endpointOf(this.#redis);
    const server = `Redis at ${nameOf(endpoint)}`;
    if (name === "ReplyError") {
      const reason = explain(this.#redis, endpoint, error);
      return reason.code === "not-redis"
        ? `${server} refused a command (${message})`
        : reason.message;
    }
    if (!isOutage(error)) return message;
    if (/timeout|timed out/i.test(message)) return `${server} did not answer in time`;
    if (code === undefined) return `the connection to ${server} was lost`;
    return explain(this.#redis, endpoint, error).message;
  }

  /** The time when the server last answered a command, in milliseconds of `performance.now`. */
  get heard(): number {
    return this.#heard;
  }

  /** Records that the server has answered. It may still refuse other commands. */
  answered(now = performance.now()): void {
    this.#heard = now;
    this.#end("away", now);
  }

  /** Records that the server has accepted all commands of a beat, among them those that write. */
  succeeded(now = performance.now()): void {
    this.answered(now);
    const refused = this.#troubles.get("refusing");
    if (refused && now - refused.last >= SETTLED_MS) this.#end("refusing", now);
  }

  /**
   * Records that a command has failed.
   *
   * @param now milliseconds of `performance.now`
   * @throws the error, if it does not concern Redis
   * @throws {ClusterError} `not-writable` when the server has refused commands for 30 s
   */
  failed(error: unknown, now = performance.now()): void {
    if (error instanceof ClusterError || error instanceof StoreError) throw error;
    const reason = this.#explain(error as Error);
    if (isOutage(error)) {
      this.#report("away", reason, now);
      return;
    }
    const since = this.#report("refusing", reason, now);
    if (now - since < REFUSED_MS) return;
    throw new ClusterError(
      "not-writable",
      `Redis has refused commands of this run for ${REFUSED_MS / 1000} s: ${reason}. All proven values are saved; run the same command to resume.`,
    );
  }

  /** Logs a trouble when it begins, and then once a minute; returns the time when it began. */
  #report(kind: Trouble, error: string, now: number): number {
    const [begin, remind] = WORDS[kind];
    const before = this.#troubles.get(kind);
    // Refusals with half a minute between them are two troubles: the server was away in the
    // meantime.
    if (before === undefined || (kind === "refusing" && now - before.last >= REFUSED_MS)) {
      this.#log.warn({ error }, begin);
      this.#troubles.set(kind, { since: now, said: now, last: now });
      return now;
    }
    const { since } = before;
    before.last = now;
    if (now - before.said >= REMIND_MS) {
      before.said = now;
      this.#log.warn({ error, seconds: seconds(now - since) }, remind);
    }
    return since;
  }

  #end(kind: Trouble, now: number): void {
    const trouble = this.#troubles.get(kind);
    if (!trouble) return;
    this.#troubles.delete(kind);
    this.#log.warn({ seconds: seconds(now - trouble.since) }, WORDS[kind][2]);
  }

  /**
   * Repeats a command until the server accepts it, however long the server is away.
   *
   * @throws {ClusterError} `not-writable` when the server has refused commands for 30 s
   */
  async persist<T>(command: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const result = await command();
        this.succeeded();
        return result;
      } catch (error) {
        this.failed(error);
        await sleep(RETRY_MS);
      }
    }
  }
}

function seconds(milliseconds: number): number {
  return Math.round(milliseconds / 1000);
}
