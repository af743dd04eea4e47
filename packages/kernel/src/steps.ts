import { instantiate } from "./module.js";
import type { SharedTable } from "./table.js";

/** In place of a step: the thread has ended its question. */
const ENDED = -1;

/**
 * Has a thread of a table search step by step: it stops at each poll, a few hundred nodes after the last, until it
 * is told to go on. So searches can be made to take turns, and what they do to repeat.
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

  /** Before a question begins: have the thread stop at its first poll. */
  begin(): void {
    Atomics.store(this.#made, 0, 0);
    Atomics.store(this.#wanted, 0, 1);
  }

  /** Has the thread go on to its next poll. */
  goOn(): void {
    Atomics.store(this.#wanted, 0, (Atomics.load(this.#wanted, 0) % 0x7fff_fffe) + 1);
    Atomics.notify(this.#wanted, 0);
  }

  /** Blocks until the thread has come to its poll, true, or has ended its question, false. */
  arrived(): boolean {
    const wanted = Atomics.load(this.#wanted, 0);
    for (;;) {
      const made = Atomics.load(this.#made, 0);
      if (made === ENDED) return false;
      if (made === wanted) return true;
      Atomics.wait(this.#made, 0, made);
    }
  }

  /** By the thread itself, when its question has ended. */
  end(): void {
    Atomics.store(this.#made, 0, ENDED);
    Atomics.notify(this.#made, 0);
  }
}
