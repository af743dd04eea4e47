import type { Waiting } from "@gridlock/store";
import { EXIT } from "./exit.js";
import { printError } from "./output/print.js";

/**
 * Milliseconds within which a signal that is repeated counts as one: GNU `timeout` sends each
 * twice, to the process and to its group.
 */
const REPEAT_MS = 200;

/** True once an interruption has been watched. */
let wasInterrupted = false;

/** Watches for an interruption or the end of a time, until it is disposed of. */
export interface InterruptWatch extends Disposable {
  /** Aborted by the interruption, or when the time is up. */
  readonly signal: AbortSignal;
  /** The time when it is up, as of `performance.now`; `undefined`: never. */
  readonly until: number | undefined;
  isInterrupted(): boolean;
}

/**
 * Watches for SIGINT and SIGTERM. The first aborts `signal`, which should bring the work to a clean
 * end, and prints `notice` on standard error; the next one that comes later than {@link REPEAT_MS}
 * ends the process at once.
 *
 * @param seconds the time after which `signal` is aborted too; default: never
 */
export function watchInterrupts(notice: string, seconds?: number): InterruptWatch {
  const stop = new AbortController();
  const until = seconds === undefined ? undefined : performance.now() + 1000 * seconds;
  const timer = seconds === undefined ? undefined : setTimeout(() => stop.abort(), 1000 * seconds);
  let interruptedAt: number | undefined;
  const onSignal = () => {
    const now = performance.now();
    if (interruptedAt !== undefined) {
      if (now - interruptedAt < REPEAT_MS) return;
      process.exit(EXIT.interrupted);
    }
    interruptedAt = now;
    wasInterrupted = true;
    stop.abort();
    printError(notice);
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return {
    signal: stop.signal,
    until,
    isInterrupted: () => interruptedAt !== undefined,
    [Symbol.dispose]() {
      clearTimeout(timer);
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
    },
  };
}

/** Waits for files locked by others until a signal is aborted, and says so on standard error. */
export function waitingUntil({ signal }: Pick<InterruptWatch, "signal">): Waiting {
  return { isStopped: () => signal.aborted, onWait: (sentence) => printError(sentence) };
}

/** Returns whether an error is the end of work that an interruption has stopped. */
export function endsInterrupted(error: unknown): boolean {
  return wasInterrupted && error instanceof Error && error.name === "AbortError";
}

/** Returns whether work threw an error because the signal aborted it, and for no other reason. */
export function isInterruption(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && error instanceof Error && error.name === "AbortError";
}
