import { hasKernel, kernelVersion } from "@gridlock/kernel";
import type { RunMessage } from "@gridlock/schemas/cluster";
import type { Logger } from "pino";
import { atMost } from "./connection.js";
import { ClusterError } from "./errors.js";
import type { Redis } from "./ioredis.js";
import type { Keys } from "./keys.js";
import { gameNamed, read } from "./messages.js";
import { FOREIGN_MS, GONE_MS, LATE_NEWS_MS } from "./timing.js";

/** Options of a watch on a run. */
export interface RunWatchOptions {
  /** For commands, and for reads that wait. */
  readonly client: Redis;
  readonly blocking: Redis;
  readonly keys: Keys;
  readonly log: Logger;
}

/** A worker's run, as its coordinator describes it. */
export class RunWatch {
  readonly #options: RunWatchOptions;
  /** Null before the first look. */
  #run: RunMessage | undefined | null = null;
  #unreadableSince: number | undefined;
  /** The time since when there has been no run any more. */
  #goneSince: number | undefined;
  /** The id of the last news. */
  #last = "0";
  /** The read of news under way. */
  #reading: Promise<void> | undefined;

  constructor(options: RunWatchOptions) {
    this.#options = options;
  }

  /** The run as last read; `undefined` if there is no coordinator. */
  get run(): RunMessage | undefined {
    return this.#run ?? undefined;
  }

  /**
   * Returns whether there was a run, and there has been none for so long that its coordinator counts as gone. One that
   * resumes, or a server that has lost its keys, needs less.
   *
   * @param now milliseconds of `performance.now`
   */
  isOver(now: number): boolean {
    return this.#goneSince !== undefined && now - this.#goneSince >= GONE_MS;
  }

  /**
   * Reads the description of the run; returns whether it differs from the previous run.
   *
   * @throws {ClusterError} `protocol` if the coordinator is of another version or has another
   *   kernel
   * @throws the errors of ioredis
   */
  async refresh(): Promise<boolean> {
    return this.take(await this.#options.client.get(this.#options.keys.run), performance.now());
  }

  /**
   * Waits until the coordinator has announced a change, or about some milliseconds. While the
   * server is away, the read does not end, and is not repeated.
   */
  async news(most: number): Promise<void> {
    this.#reading ??= this.#readNews(most).finally(() => {
      this.#reading = undefined;
    });
    this.#reading.catch(() => {}); // reported to whoever still waits
    await atMost(most + LATE_NEWS_MS, this.#reading);
  }

  async #readNews(most: number): Promise<void> {
    const { blocking, keys } = this.#options;
    const reply = await blocking.xread("BLOCK", most, "STREAMS", keys.news, this.#last);
    // Without news for so long, ids may have begun anew.
    this.#last = reply?.[0]?.[1].at(-1)?.[0] ?? "0";
  }

  /**
   * Handles the contents of the run key, as {@link refresh} does.
   *
   * @param now milliseconds of `performance.now`
   */
  take(text: string | null, now: number): boolean {
    const before = this.#run;
    try {
      this.#run = text === null ? undefined : read("run", text);
    } catch (error) {
      this.#ignore(error, now);
      return false;
    }
    this.#unreadableSince = undefined;
    if (this.#run) this.#goneSince = undefined;
    else if (before) this.#goneSince = now;
    const { log } = this.#options;
    if (before !== null && before?.run === this.#run?.run) return false;
    if (this.#run) expectSameKernel(this.#run);
    if (this.#run) log.info({ run: this.#run.run, shape: this.#run.shape }, "run");
    else log.info("waiting for a coordinator");
    return true;
  }

  /** Keeps the last readable description, unless messages of another protocol keep coming. */
  #ignore(error: unknown, now: number): void {
    if (!(error instanceof ClusterError)) throw error;
    if (this.#unreadableSince === undefined) {
      this.#options.log.warn({ error: error.message }, "ignored the description of the run");
    }
    this.#unreadableSince ??= now;
    if (error.code === "protocol" && now - this.#unreadableSince >= FOREIGN_MS) throw error;
  }
}

/** Checks that the bounds of this worker's kernel are of use to the other workers of a run. */
function expectSameKernel(run: RunMessage): void {
  const { shape } = gameNamed(run);
  if (run.kernel === undefined || !hasKernel(shape)) return;
  const own = kernelVersion(shape);
  if (run.kernel === own) return;
  throw new ClusterError(
    "protocol",
    `the coordinator's kernel for ${run.shape} is ${run.kernel}, but this worker's is ${own}; use the same version of gridlock for the coordinator and all workers`,
  );
}
