import { Worker } from "node:worker_threads";
import type { SharedTable } from "@gridlock/kernel";
import type { SharedCounts, Sharing } from "./messages.js";
import type { RedisOptions } from "./redis-options.js";

/** The data that a link's thread is started with. */
export interface LinkData {
  readonly redis: RedisOptions;
  /** The worker's name. */
  readonly name: string;
  /** The epoch of the run in which the table was made; see `messages.ts`. */
  readonly epoch: number;
  readonly table: SharedTable;
  /** The number of a table thread to which no kernel is attached. */
  readonly thread: number;
  readonly sharing: Sharing;
  /** Workers whose bounds are ignored. */
  readonly shutOut: readonly string[];
}

/** The message that the thread posts from time to time. */
export type LinkReport = SharedCounts;

/** The counts before anything has been shared. */
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
 * Shares bounds between this machine's table and those of other machines. A separate thread takes new bounds from the
 * table's journal, adds them to a stream within milliseconds, and stores other machines' bounds in the table. Answers
 * do not depend on it: a lost bound only costs time.
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

  /** The latest counts of shared bounds that the thread has posted. */
  get counts(): SharedCounts {
    return this.#counts;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
