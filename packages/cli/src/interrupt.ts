import { EXIT } from "./exit.js";

/** Watches for Ctrl-C and for a request to terminate, until it is disposed of. */
export interface InterruptWatch extends Disposable {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
}

/**
 * Watches for SIGINT and SIGTERM. The first aborts `signal`, which should bring the work to a clean end, and prints
 * `notice` on standard error; the second ends the process at once.
 */
export function watchInterrupts(notice: string): InterruptWatch {
  const interrupt = new AbortController();
  const onSignal = () => {
    if (interrupt.signal.aborted) process.exit(EXIT.interrupted);
    interrupt.abort();
    console.error(notice);
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return {
    signal: interrupt.signal,
    [Symbol.dispose]() {
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
    },
  };
}

/** Returns whether work has thrown an error because the signal aborted it, and not for a reason of its own. */
export function isInterruption(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && error instanceof Error && error.name === "AbortError";
}
