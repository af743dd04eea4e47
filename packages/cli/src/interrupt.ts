import { EXIT } from "./exit.js";

/** Watches for Ctrl-C and for a request to terminate. */
export interface InterruptWatch {
  readonly interrupted: boolean;
  /** Leaves signals to themselves again. */
  end(): void;
}

/**
 * The first signal calls `stop`, which should bring the work to a clean end, and is answered with `notice`;
 * the second ends the process.
 */
export function watchInterrupts(stop: () => void, notice: string): InterruptWatch {
  let interrupted = false;
  const onSignal = () => {
    if (interrupted) process.exit(EXIT.interrupted);
    interrupted = true;
    stop();
    console.error(notice);
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return {
    get interrupted() {
      return interrupted;
    },
    end() {
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
    },
  };
}
