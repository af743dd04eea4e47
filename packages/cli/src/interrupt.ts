import type { Waiting } from "@gridlock/store";
import { EXIT } from "./exit.js";
import { printError } from "./output/visible.js";

/** True once an interruption has been watched. */
let wasInterrupted = false;

/** Watches for an interruption, until it is disposed of. */
export interface InterruptWatch extends Disposable {
  /** Aborted by the interruption. */
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
    wasInterrupted = true;
    interrupt.abort();
    printError(notice);
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

/** Aborts a signal when another is aborted or, if a time in seconds is given, when it is up; until it is disposed of. */
export function stopAfter(seconds: number | undefined, signal: AbortSignal): InterruptWatch {
  const stop = new AbortController();
  const abort = () => stop.abort();
  signal.addEventListener("abort", abort);
  const timer = seconds === undefined ? undefined : setTimeout(abort, 1000 * seconds);
  return {
    signal: stop.signal,
    [Symbol.dispose]() {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    },
  };
}

/** Waits for files that other processes have locked until a signal is aborted, and says so on standard error. */
export function waitingUntil({ signal }: Pick<InterruptWatch, "signal">): Waiting {
  return { isStopped: () => signal.aborted, onWait: (sentence) => printError(sentence) };
}

/** Returns whether an error is the end of work that an interruption has stopped. */
export function endsInterrupted(error: unknown): boolean {
  return wasInterrupted && error instanceof Error && error.name === "AbortError";
}

/** Returns whether work has thrown an error because the signal aborted it, and not for a reason of its own. */
export function isInterruption(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && error instanceof Error && error.name === "AbortError";
}
