import { setImmediate } from "node:timers/promises";

/** Milliseconds of work between two pauses. */
const WORK_MS = 50;

/** Pauses in long work, in which the process handles signals and timers. */
export class Pauses {
  /** Steps of the work between two checks of {@link isDue}. */
  static readonly STEP = 64;
  readonly #signal: AbortSignal | undefined;
  #last = performance.now();

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  get isDue(): boolean {
    return performance.now() - this.#last >= WORK_MS;
  }

  /** Pauses; rejects with the signal's reason once it is aborted. */
  async take(): Promise<void> {
    await setImmediate();
    this.#signal?.throwIfAborted();
    this.#last = performance.now();
  }
}
