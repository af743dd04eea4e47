import type { Logger } from "pino";
import type { Keys } from "./keys.js";
import type { Redis } from "./libraries.js";
import type { WorkerMessage } from "./messages.js";
import { readWorkers } from "./status.js";

/** Milliseconds without a worker after which a coordinator with open questions logs a warning. */
const ALONE_MS = 5000;

/** The workers known to a coordinator. */
export class Roster {
  readonly #log: Logger;
  /** Workers whose status was unreadable and already reported. */
  readonly #refused = new Set<string>();
  #names: readonly string[] = [];
  #workers: ReadonlyMap<string, WorkerMessage> = new Map();
  #aloneSince: number | undefined;
  #said = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** The names of the workers that are not shut out. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** Returns the number of threads of a worker; 1 if it is not known. */
  threadsOf(worker: string): number {
    return this.#workers.get(worker)?.threads ?? 1;
  }

  /** Returns the bytes for the tables of a worker; 0 if it is not known. */
  memoryOf(worker: string): number {
    return this.#workers.get(worker)?.memory ?? 0;
  }

  /** Reads the status of all workers, and returns it. */
  async read(
    client: Redis,
    keys: Keys,
    shutOut: readonly string[],
  ): Promise<readonly WorkerMessage[]> {
    const workers = await readWorkers(client, keys, (name, { message }) => {
      if (!this.#refused.has(name)) {
        this.#log.warn({ worker: name, error: message }, "ignored a worker");
      }
      this.#refused.add(name);
    });
    this.#workers = new Map(workers.map((message) => [message.worker, message]));
    this.#names = workers.map(({ worker }) => worker).filter((name) => !shutOut.includes(name));
    return workers;
  }

  /**
   * Logs when there has been no worker for 5 s although an answer is due, and when a worker is
   * back.
   *
   * @param isBusy whether an answer is due
   * @param now milliseconds of `performance.now`
   */
  watch(isBusy: boolean, now = performance.now()): void {
    if (this.#names.length > 0) {
      if (this.#said) this.#log.warn({ workers: this.#names }, "workers are available");
      this.#said = false;
    }
    if (this.#names.length > 0 || !isBusy) {
      this.#aloneSince = undefined;
      return;
    }
    this.#aloneSince ??= now;
    if (this.#said || now - this.#aloneSince < ALONE_MS) return;
    this.#log.warn("there are no workers; start one with gridlock worker --redis URL");
    this.#said = true;
  }
}
