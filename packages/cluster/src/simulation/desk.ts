import { type Bound, packedFromBits } from "@gridlock/game";
import type { Question } from "@gridlock/solver";

/** A virtual thread's task: a question, and the most nodes that it may cost. */
export interface Task extends Question {
  readonly budget: number;
}

/** The result of a task; `undefined` if the budget was spent before there was an answer. */
export type Outcome = Bound | undefined;

/** Nothing has been written yet. */
const NOTHING = 0;
/** The thread must end. */
const LEAVE = -1;

const ANSWERED = 1;
const SPENT = 2;
const FAILED = 3;

const BYTES = 64;

/**
 * Shared memory in which the conductor writes a task for one virtual thread, and the thread writes the result: neither
 * has an event loop while it waits for the other.
 */
export class Desk {
  readonly #task: Int32Array;
  readonly #state: Int32Array;
  readonly #placer: Int32Array;
  readonly #board: BigUint64Array;
  /** Threshold and budget of the task, lo and hi of the answer. */
  readonly #numbers: Float64Array;
  #last = NOTHING;

  constructor(readonly buffer: SharedArrayBuffer = new SharedArrayBuffer(BYTES)) {
    this.#task = new Int32Array(buffer, 0, 1);
    this.#state = new Int32Array(buffer, 4, 1);
    this.#placer = new Int32Array(buffer, 8, 1);
    this.#board = new BigUint64Array(buffer, 16, 1);
    this.#numbers = new Float64Array(buffer, 24, 4);
  }

  /** By the conductor: writes a task. The thread must have finished the previous one. */
  give({ turn, board, threshold, budget }: Task): void {
    this.#placer[0] = turn === "placer" ? 1 : 0;
    this.#board[0] = board;
    this.#numbers[0] = threshold;
    this.#numbers[1] = budget;
    Atomics.add(this.#task, 0, 1);
    Atomics.notify(this.#task, 0);
  }

  /** By the conductor: makes the thread end once it is idle. */
  dismiss(): void {
    Atomics.store(this.#task, 0, LEAVE);
    Atomics.notify(this.#task, 0);
  }

  /** By the thread: blocks until there is a task and returns it; returns `undefined` when the thread must end. */
  take(): Task | undefined {
    Atomics.wait(this.#task, 0, this.#last);
    this.#last = Atomics.load(this.#task, 0);
    if (this.#last === LEAVE) return undefined;
    return {
      turn: this.#placer[0] ? "placer" : "slider",
      board: packedFromBits(this.#board[0] as bigint),
      threshold: this.#numbers[0] as number,
      budget: this.#numbers[1] as number,
    };
  }

  /** By the thread: writes the task's result. */
  settle(outcome: Outcome | "failed"): void {
    if (typeof outcome === "object") {
      this.#numbers[2] = outcome.lo;
      this.#numbers[3] = outcome.hi;
    }
    const state = outcome === undefined ? SPENT : outcome === "failed" ? FAILED : ANSWERED;
    Atomics.store(this.#state, 0, state);
  }

  /** By the conductor: returns the result of a finished task. */
  outcome(): Outcome | "failed" {
    const state = Atomics.load(this.#state, 0);
    if (state === FAILED) return "failed";
    if (state === SPENT) return undefined;
    return { lo: this.#numbers[2] as number, hi: this.#numbers[3] as number };
  }
}
