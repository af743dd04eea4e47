import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { connect, disconnect, probe } from "./connection.js";
import type { Redis } from "./ioredis.js";
import { removeDamaged } from "./jobs.js";
import { type Keys, keysOf } from "./keys.js";
import { isDamage, isRefusal, Reach } from "./outage.js";
import type { RedisOptions } from "./redis-options.js";
import { BEAT_MS } from "./timing.js";

/** Options of a member. */
export interface MemberOptions {
  readonly redis: RedisOptions;
  readonly log: Logger;
  /** Called with each failure after which the member cannot go on. */
  onFailure(error: Error): void;
}

/**
 * Connects a member of a run, which is its coordinator or a worker, to the server: it beats once a
 * second, hears the other members, and decides after which failures the member goes on.
 *
 * Dispose of it to disconnect.
 */
export class Member implements Disposable {
  readonly redis: RedisOptions;
  readonly keys: Keys;
  /** For commands, which fail while the server is away. */
  readonly client: Redis;
  readonly reach: Reach;
  /** Aborted when the member leaves: beats end, and failures no longer count. */
  readonly leaving = new AbortController();
  readonly #log: Logger;
  readonly #onFailure: (error: Error) => void;
  /** Hears what other members publish. */
  readonly #ears: Redis;
  /** True once the queue or another key was found to be damaged, until {@link mend}. */
  isDamaged = false;

  constructor({ redis, log, onFailure }: MemberOptions) {
    this.redis = redis;
    this.keys = keysOf(redis);
    this.#log = log;
    this.#onFailure = onFailure;
    this.reach = new Reach(log, redis);
    this.client = connect(redis, "commands", this.onError);
    this.#ears = connect(redis, "blocking", this.onError);
  }

  /**
   * Records an error of a connection. The server may refuse a login, or commands of a queue, while
   * the beats know nothing of it; of outages they know by themselves.
   */
  readonly onError = (error: Error): void => {
    this.#log.debug({ error: error.message }, "connection");
    if (isRefusal(error)) this.failed(error);
  };

  /** Continues after a failure that may be temporary; reports any other. */
  failed(error: unknown): void {
    if (this.leaving.signal.aborted) return;
    if (isDamage(error)) this.isDamaged = true;
    try {
      this.reach.failed(error);
    } catch (reason) {
      this.#onFailure(reason as Error);
    }
  }

  /** Hears what is published in channels. All of it can be missed. */
  hear(channels: readonly string[], listener: (channel: string, text: string) => void): void {
    this.#ears.on("message", listener);
    this.#ears.subscribe(...channels).catch(this.onError);
  }

  /** Does something once a second until the member leaves. */
  async beatOn(beat: () => Promise<void>): Promise<void> {
    const { signal } = this.leaving;
    while (!signal.aborted) {
      try {
        probe(this.#ears);
        await beat();
        this.reach.succeeded();
      } catch (error) {
        this.failed(error);
      }
      await sleep(BEAT_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Removes damaged keys, if there are any. */
  async mend(): Promise<void> {
    if (this.isDamaged) await removeDamaged(this.client, this.keys);
    this.isDamaged = false;
  }

  [Symbol.dispose](): void {
    disconnect(this.#ears);
    disconnect(this.client);
  }
}
