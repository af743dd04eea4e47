import { instantiate } from "./module.js";
import type { SharedTable } from "./table.js";

/** The value of a step once the thread has finished its question. */
const ENDED = -1;

/**
 * Makes a thread of a table search step by step: it stops at each poll, a few hundred nodes after the
 * last, until it may continue. Searches can thus take turns, which makes them repeatable.
 */
export class Steps {
  readonly #wanted: Int32Array;
  readonly #made: Int32Array;

  constructor(table: SharedTable, thread: number) {
    const kernel = instantiate(table.game.shape, table.memory);
    const block = kernel.threadAt(thread) >>> 0;
    this.#wanted = new Int32Array(table.memory.buffer, block + kernel.STEP.value, 1);
    this.#made = new Int32Array(table.memory.buffer, block + kernel.STEPPED.value, 1);
  }

  /** Makes the thread stop at its first poll. To be called before a question begins. */
  begin(): void {
    Atomics.store(this.#made, 0, 0);
    Atomics.store(this.#wanted, 0, 1);
  }

  /** Lets the thread continue to its next poll. */
  goOn(): void {
    Atomics.store(this.#wanted, 0, (Atomics.load(this.#wanted, 0) % 0x7fff_fffe) + 1);
    Atomics.notify(this.#wanted, 0);
  }

  /** Blocks until the thread reaches its poll (true) or finishes its question (false). */
  arrived(): boolean {
    const wanted = Atomics.load(this.#wanted, 0);
    for (;;) {
      const made = Atomics.load(this.#made, 0);
      if (made === ENDED) return false;
      if (made === wanted) return true;
      Atomics.wait(this.#made, 0, made);
    }
  }

  /** Called by the thread itself when its question is finished. */
  end(): void {
    Atomics.store(this.#made, 0, ENDED);
    Atomics.notify(this.#made, 0);
  }
}
