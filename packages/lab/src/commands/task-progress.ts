import { type Display, printError, showWork } from "@gridlock/cli/command";
import type { BenchProgress } from "../bench.js";

/** Milliseconds between two lines in a pipe. */
const LINE_MS = 10_000;

/** Displays the number of finished tasks on standard error. */
export interface TaskDisplay extends Display {
  update(progress: BenchProgress): void;
  /** Prints an event, unless a bar is shown. */
  note(text: string): void;
}

/** Displays tasks: a bar on a terminal; elsewhere events, and a line every ten seconds. */
export function showTasks(name: string, signal: AbortSignal): TaskDisplay {
  let latest: BenchProgress = { done: 0, total: 0 };
  const display = showWork(name, "searches and sweeps", () => latest, { lineMs: LINE_MS, signal });
  return {
    ...display,
    update: (progress) => {
      latest = progress;
    },
    note: (text) => {
      if (!process.stderr.isTTY) printError(text);
    },
  };
}
