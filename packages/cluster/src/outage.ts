import { setTimeout as sleep } from "node:timers/promises";
import { StoreError } from "@gridlock/store";
import type { Logger } from "pino";
import { ClusterError } from "./errors.js";

/** Milliseconds between two attempts while the server is away. */
const AGAIN_MS = 200;
/** Milliseconds for which the server may refuse commands before the run ends. */
const MOST_REFUSED_MS = 30_000;

/** Errors of ioredis and BullMQ for a connection that is lost or not yet ready. */
const LOST =
  /Connection is closed|max retries per request|Stream isn't writeable|Socket timeout|Command timed out|Failed to refresh slots cache|Cluster isn't ready|None of startup nodes/;
/** Error replies of a server that is starting, failing over, or busy. */
const NOT_READY = /^(LOADING|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|READONLY|BUSY|UNKILLABLE)\b/;

/** Returns whether an error means that the server is temporarily away, rather than that it refuses a command. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { message, syscall } = error as NodeJS.ErrnoException;
  if (error.name === "ReplyError") return NOT_READY.test(message);
  return LOST.test(message) || /ECONN|EPIPE|ETIMEDOUT/.test(message) || syscall === "connect";
}

/** Keeps track of whether the server can be reached, and logs each outage when it begins and when it ends. */
export class Reach {
  readonly #log: Logger;
  #heard = performance.now();
  #away = false;
  #refusedSince: number | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** The time when the server last accepted a command, in milliseconds of `performance.now`. */
  get heard(): number {
    return this.#heard;
  }

  /** Records that the server has accepted a command. */
  succeeded(): void {
    this.#heard = performance.now();
    if (this.#away) this.#log.warn("Redis is back");
    this.#away = false;
    this.#refusedSince = undefined;
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
    const { message } = error as Error;
    if (isOutage(error)) {
      if (!this.#away) this.#log.warn({ error: message }, "waiting for Redis");
      this.#away = true;
      return;
    }
    if (this.#refusedSince === undefined) {
      this.#log.warn({ error: message }, "Redis refused a command; trying again");
    }
    this.#refusedSince ??= now;
    if (now - this.#refusedSince < MOST_REFUSED_MS) return;
    throw new ClusterError(
      "not-writable",
      `Redis has refused commands of this run for ${MOST_REFUSED_MS / 1000} s (${message}). All proven values are saved; run the same command to resume.`,
    );
  }

  /**
   * Repeats a command until the server accepts it, however long the server is away.
   *
   * @throws {ClusterError} `not-writable` when the server refuses the command
   */
  async persist<T>(command: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const result = await command();
        this.succeeded();
        return result;
      } catch (error) {
        if (error instanceof ClusterError) throw error;
        if (!isOutage(error)) {
          throw new ClusterError(
            "not-writable",
            `Redis refused a command that a run needs (${(error as Error).message})`,
          );
        }
        this.failed(error);
        await sleep(AGAIN_MS);
      }
    }
  }
}
