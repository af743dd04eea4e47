import type { WorkerMessage } from "@gridlock/schemas/cluster";
import type { Logger } from "pino";
import type { Redis } from "./ioredis.js";
import type { Keys } from "./keys.js";
import { readWorkers } from "./status.js";
import { NO_WORKERS_MS } from "./timing.js";

/** The workers known to a coordinator. */
export class Roster {
  readonly #log: Logger;
  /** Workers whose status was unreadable and already reported. */
  readonly #refused = new Set<string>();
  #names: readonly string[] = [];
  #aloneSince: number | undefined;
  #said = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** The names of the workers, in the order in which they joined. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** Reads the status of all workers, and returns it. */
  async read(client: Redis, keys: Keys): Promise<readonly WorkerMessage[]> {
    const workers = await readWorkers(client, keys, (name, { message }) => {
      if (!this.#refused.has(name)) {
        this.#log.warn({ worker: name, error: message }, "ignored a worker");
      }
      this.#refused.add(name);
    });
    const names = workers.map(({ worker }) => worker);
    const before = this.#names.filter((name) => names.includes(name));
    this.#names = [...before, ...names.filter((name) => !before.includes(name))];
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
    if (this.#said || now - this.#aloneSince < NO_WORKERS_MS) return;
    this.#log.warn("there are no workers; start one with gridlock worker --redis URL");
    this.#said = true;
  }
}
