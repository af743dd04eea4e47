import { setTimeout as sleep } from "node:timers/promises";
import { connect, disconnect } from "./connection.js";
import type { Redis } from "./libraries.js";
import { AGAIN_MS } from "./outage.js";
import type { RedisOptions } from "./redis-options.js";

/**
 * Milliseconds for which a read waits for events. After each one it writes, so a reader of a server that has become
 * a replica notices soon.
 */
const BLOCK_MS = 5_000;
/** The most events of one read. */
const MOST_EVENTS = 1_000;

/** Receives the ends of jobs. A job's end may be reported twice, or never. */
interface JobEndListener {
  /** @param returned the JSON of the return value */
  onCompleted(id: string, returned: string): void;
  onFailed(id: string, reason: string): void;
}

export interface JobEndsOptions {
  readonly redis: RedisOptions;
  /** The prefix of the queue's keys. */
  readonly queue: string;
  readonly listener: JobEndListener;
  /** Called with each error. */
  onError(error: Error): void;
}

/**
 * Reads the ends of jobs from the stream to which BullMQ writes the events of a queue, and removes what it has read:
 * the events contain all return values, and BullMQ would keep some 10,000.
 *
 * (BullMQ's own reader, QueueEvents, does not survive all time-outs of a connection, and removes nothing.)
 */
export class JobEnds implements AsyncDisposable {
  readonly #options: JobEndsOptions;
  readonly #key: string;
  readonly #closing = new AbortController();
  #client: Redis | undefined;
  #reading: Promise<void> = Promise.resolve();

  constructor(options: JobEndsOptions) {
    this.#options = options;
    this.#key = `${options.queue}:events`;
  }

  /** Begins to read. Only the run that leads may: others would take its events. */
  start(): void {
    const { redis, onError } = this.#options;
    this.#client = connect(redis, "blocking", onError);
    this.#reading = this.#readOn(this.#client);
  }

  async #readOn(client: Redis): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        const last = await this.#readOnce(client);
        await client.xtrim(this.#key, "MINID", after(last));
      } catch (error) {
        if (signal.aborted) return;
        this.#options.onError(error as Error);
        await sleep(AGAIN_MS, undefined, { signal }).catch(() => {});
      }
    }
  }

  /** Waits for events and reports them. Returns the id of the last one, or the least of all ids. */
  async #readOnce(client: Redis): Promise<string> {
    // From the beginning, since all that has been read is removed: ids of a server that has lost its data, or of
    // another server, may begin anew.
    const reply = await client.xread(
      ...(["COUNT", MOST_EVENTS, "BLOCK", BLOCK_MS, "STREAMS", this.#key, "0"] as const),
    );
    let last = "0-0";
    for (const [id, fields] of reply?.[0]?.[1] ?? []) {
      this.#report(fields);
      last = id;
    }
    return last;
  }

  /** @param fields names and values in turn */
  #report(fields: readonly string[]): void {
    const event = new Map<string, string>();
    for (let i = 0; i + 1 < fields.length; i += 2) {
      event.set(fields[i] as string, fields[i + 1] as string);
    }
    const { listener } = this.#options;
    const id = event.get("jobId") ?? "";
    if (event.get("event") === "completed")
      listener.onCompleted(id, event.get("returnvalue") ?? "");
    if (event.get("event") === "failed") listener.onFailed(id, event.get("failedReason") ?? "");
  }

  /** Stops reading, and disconnects. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    if (this.#client) disconnect(this.#client);
    await this.#reading;
  }
}

/** Returns the id that follows an id of a stream, `MILLISECONDS-NUMBER`. */
function after(id: string): string {
  const [milliseconds, number] = id.split("-") as [string, string];
  return `${milliseconds}-${BigInt(number) + 1n}`;
}
