import { instantiate } from "./module.js";
import type { SharedTable } from "./table.js";

/** In place of a step's number: the thread has ended its question. */
const ENDED = -1;
/** The largest number of a step; the next one is 1. */
const LAST_STEP = 0x7fff_ffff;

/**
 * Makes a thread of a table search step by step: it stops at each check, a few hundred nodes after
 * the last one, until it is told to continue. Searches that take turns in this way can be repeated
 * exactly.
 */
export class Steps {
  readonly #next: Int32Array;
  readonly #reached: Int32Array;

  constructor(table: SharedTable, thread: number) {
    const kernel = instantiate(table.game.shape, table.memory);
    const block = kernel.threadAt(thread) >>> 0;
    this.#next = new Int32Array(table.memory.buffer, block + kernel.STEP.value, 1);
    this.#reached = new Int32Array(table.memory.buffer, block + kernel.STEPPED.value, 1);
  }

  /** Call it before a question: the thread will stop at its first check. */
  begin(): void {
    Atomics.store(this.#reached, 0, 0);
    Atomics.store(this.#next, 0, 1);
  }

  /** Lets the thread continue to its next check. */
  goOn(): void {
    Atomics.store(this.#next, 0, (Atomics.load(this.#next, 0) % LAST_STEP) + 1);
    Atomics.notify(this.#next, 0);
  }

  /** Blocks until the thread has reached its check (true) or ended its question (false). */
  arrived(): boolean {
    const next = Atomics.load(this.#next, 0);
    for (;;) {
      const reached = Atomics.load(this.#reached, 0);
      if (reached === ENDED) return false;
      if (reached === next) return true;
      Atomics.wait(this.#reached, 0, reached);
    }
  }

  /** Called by the thread itself when its question has ended. */
  end(): void {
    Atomics.store(this.#reached, 0, ENDED);
    Atomics.notify(this.#reached, 0);
  }
}
