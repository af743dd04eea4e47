import type { MessagePort } from "node:worker_threads";
import { RECORD_BYTES } from "@gridlock/kernel";
import { Allowance, type Selection, splitAt } from "./allowance.js";

/** The receiver of the bounds that a table's threads prove, and the rate at which it may get them. */
export interface OutletOptions {
  /** Takes {@link PassedBatch}es; its other end answers each one with the milliseconds until the next. */
  readonly port: MessagePort;
  /** Most bytes a second. */
  readonly rate: number;
}

/** Bounds that a machine passes on: packed records, in an ArrayBuffer of their own. */
export interface PassedBatch {
  readonly records: number;
  readonly packed: Uint8Array<ArrayBuffer>;
}

/** Milliseconds of the unit of an allowance. */
const SECOND_MS = 1000;
/** Milliseconds until the first batch has been answered. */
const FIRST_PAUSE_MS = 40;
/** Least effort of records that are kept until a slow receiver takes the next batch: 1,024 nodes. */
const DEAR = 20;
/** Most records kept so. */
const MOST_KEPT = 1 << 16;

/**
 * Passes on the bounds that cost most, as many as the rate allows. While the receiver has not taken
 * a batch, the dearest bounds wait for the next one, and the others are left out.
 */
export class Outlet {
  readonly #port: MessagePort;
  readonly #allowance: Allowance;
  #selectedAt = performance.now();
  #isTaken = true;
  #pause = FIRST_PAUSE_MS;
  #kept: Uint8Array = new Uint8Array(0);

  constructor({ port, rate }: OutletOptions) {
    this.#port = port;
    this.#allowance = new Allowance(rate, SECOND_MS);
    port.on("message", (pause: number) => {
      this.#isTaken = true;
      this.#pause = pause;
    });
  }

  /** Milliseconds between two batches. */
  get pause(): number {
    return this.#pause;
  }

  /** Selects the records to pass on now, and returns the rest too. */
  select(records: Uint8Array): Selection {
    if (!this.#isTaken) {
      const dear = splitAt(records, DEAR).passed;
      const room = MOST_KEPT * RECORD_BYTES - this.#kept.length;
      this.#kept = joined(this.#kept, dear.subarray(0, room));
      return { passed: records.subarray(0, 0), held: records };
    }
    const now = performance.now();
    const elapsed = now - this.#selectedAt;
    this.#selectedAt = now;
    const all = this.#kept.length > 0 ? joined(this.#kept, records) : records;
    this.#kept = new Uint8Array(0);
    return this.#allowance.select(all, elapsed);
  }

  /** Passes the last bounds on, even if the receiver has not taken the batch before. */
  finish(): void {
    this.#isTaken = true;
  }

  /** Passes a batch on. */
  pass(batch: PassedBatch): void {
    this.#isTaken = false;
    this.#port.postMessage(batch);
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
