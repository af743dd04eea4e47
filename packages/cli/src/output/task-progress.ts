import type { TaskProgress } from "@gridlock/paper";
import { type Display, showWork } from "./display.js";

/** Milliseconds between two lines in a pipe. */
const LINE_MS = 10_000;

/** Shows on standard error how many of a number of tasks are done. */
export interface TaskDisplay extends Display {
  update(progress: TaskProgress): void;
  /** Tells something that has come about. */
  note(text: string): void;
}

/** A bar on a terminal; in a pipe, what comes about, and a line now and then. */
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
      if (!process.stderr.isTTY) console.error(text);
    },
  };
}
