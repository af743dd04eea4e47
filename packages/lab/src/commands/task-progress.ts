import { type Display, printError, showWork } from "@gridlock/cli/command";
import type { TaskProgress } from "../bench.js";

/** Milliseconds between two lines in a pipe. */
const LINE_MS = 10_000;

/** Displays the number of finished tasks on standard error. */
export interface TaskDisplay extends Display {
  update(progress: TaskProgress): void;
  /** Prints an event, unless a bar is shown. */
  note(text: string): void;
}

/** Displays tasks: a bar on a terminal; elsewhere events, and a line every ten seconds. */
export function showTasks(name: string, signal: AbortSignal): TaskDisplay {
  let latest: TaskProgress = { done: 0, asked: 0 };
  const look = () => ({ done: latest.done, total: latest.asked });
  const display = showWork(name, "searches and sweeps", look, { lineMs: LINE_MS, signal });
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
