import { Worker } from "node:worker_threads";
import type { SharedTable } from "@gridlock/kernel";
import type { SharedCounts, Sharing } from "./messages.js";
import type { RedisOptions } from "./redis-options.js";

/** What the thread of a link is started with. */
export interface LinkData {
  readonly redis: RedisOptions;
  /** The worker's name. */
  readonly name: string;
  /** The epoch of the run in which the table was made; see `messages.ts`. */
  readonly epoch: number;
  readonly table: SharedTable;
  /** A thread of the table that no kernel is attached as. */
  readonly thread: number;
  readonly sharing: Sharing;
  /** Workers that are not listened to. */
  readonly shutOut: readonly string[];
}

/** What the thread posts now and then. */
export type LinkReport = SharedCounts;

/** What has been shared before anything has. */
export const NOTHING_SHARED: SharedCounts = {
  sent: 0,
  received: 0,
  refused: 0,
  bytesSent: 0,
  bytesReceived: 0,
  effort: null,
  delay: 0,
};

/**
 * Shares bounds between the table of this machine and those of others: a thread of its own takes what is learned
 * here out of the table's journal and puts it into a stream, within milliseconds, and puts what others have
 * learned into the table. None of it is needed for truth; what is lost costs time.
 */
export class Link {
  readonly #worker: Worker;
  #counts = NOTHING_SHARED;

  constructor(data: LinkData, onError: (error: Error) => void) {
    this.#worker = new Worker(new URL("./link-worker.js", import.meta.url), { workerData: data });
    this.#worker.on("message", (report: LinkReport) => {
      this.#counts = report;
    });
    this.#worker.on("error", onError);
  }

  /** What has been shared up to a moment ago. */
  get counts(): SharedCounts {
    return this.#counts;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
