import type { MessagePort } from "node:worker_threads";
import type { SharedTable } from "@gridlock/kernel";
import type { SharedCounts } from "@gridlock/schemas/cluster";
import { Thread } from "@gridlock/threads";
import type { RedisOptions } from "./redis-options.js";

/** The data that a link's thread starts with. */
export interface LinkData {
  readonly redis: RedisOptions;
  /** The worker's name. */
  readonly name: string;
  /** The table, whose thread before the last is that of the link. */
  readonly table: SharedTable;
  /** Takes the batches to save. */
  readonly news: MessagePort;
  /** Most bytes of bounds a second, and of a table that is sent to a worker that has joined. */
  readonly rate: number;
}

/** The workers with which to share bounds. */
export interface Sharing {
  /** Bounds are for workers of the same run alone. */
  readonly run: string;
  readonly peers: readonly string[];
  /** True if so much is proven that a worker that joins asks for the table of another one. */
  readonly isLate: boolean;
}

/** A request to a link's thread: to share with these workers, or to send what waits. */
export type LinkRequest = Sharing | "flush";

/** Counts before anything is shared. */
export const NOTHING_SHARED: SharedCounts = {
  sent: 0,
  received: 0,
  bytesSent: 0,
  bytesReceived: 0,
  refused: 0,
  table: 0,
};

/** Options of a link to other workers. */
export interface LinkOptions extends LinkData {
  onFailure(error: Error): void;
}

/**
 * Shares the bounds of a table with other machines. A separate thread sends what this machine
 * proves, and puts what others prove into the table. A bound that is lost costs time, never truth.
 */
export class Link implements AsyncDisposable {
  readonly #thread: Thread<LinkRequest, void, SharedCounts>;
  #last: Promise<void> = Promise.resolve();
  #sharing = "";
  #counts = NOTHING_SHARED;

  constructor({ onFailure, ...options }: LinkOptions) {
    const { news } = options;
    const workerData: LinkData = options;
    this.#thread = new Thread(new URL("./link-worker.js", import.meta.url), {
      name: "the thread that shares bounds",
      workerData,
      transferList: [news],
      onFailure,
      onNotice: (counts) => {
        this.#counts = counts;
      },
    });
  }

  /** The latest counts of the thread. */
  get counts(): SharedCounts {
    return this.#counts;
  }

  /** Shares with these workers from now on. It disturbs the thread only when they change. */
  share(sharing: Sharing): void {
    const { run, peers } = sharing;
    const text = JSON.stringify([run, peers]);
    if (text === this.#sharing) return;
    this.#sharing = text;
    void this.#ask(sharing);
  }

  /** Passes on what has been proven last: to be saved, and to others if the server is reachable. */
  async flush(): Promise<void> {
    await this.#ask("flush");
  }

  #ask(request: LinkRequest): Promise<void> {
    this.#last = this.#last.then(() => this.#thread.ask(request)).catch(() => {}); // see `onFailure`
    return this.#last;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread[Symbol.asyncDispose]();
  }
}
