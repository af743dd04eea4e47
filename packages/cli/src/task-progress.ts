import type { TaskProgress } from "@gridlock/paper";
import { SingleBar } from "cli-progress";
import { formatSeconds } from "./format.js";

/** Milliseconds between two frames of the bar, and between two lines in a pipe. */
const FRAME_MS = 100;
const LINE_MS = 10_000;

/** Shows on standard error how many of a number of tasks are done. */
export interface TaskDisplay {
  update(progress: TaskProgress): void;
  /** Tells something that has come about. */
  note(text: string): void;
  /** Leaves the terminal as it was; a second call does nothing. */
  stop(): void;
}

/** A bar on a terminal; in a pipe, what comes about, and a line now and then. */
export function showTasks(name: string): TaskDisplay {
  const began = performance.now();
  const seconds = () => formatSeconds((performance.now() - began) / 1000);
  let latest: TaskProgress = { done: 0, asked: 0 };
  if (!process.stderr.isTTY) {
    const timer = setInterval(() => {
      console.error(`${name}: ${latest.done} of ${latest.asked} searches and sweeps, ${seconds()}`);
    }, LINE_MS);
    return {
      update: (progress) => {
        latest = progress;
      },
      note: (text) => console.error(text),
      stop: () => clearInterval(timer),
    };
  }
  const bar = new SingleBar({
    format: " {name} {bar} {value}/{total} searches and sweeps, {passed}",
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    barsize: 20,
    barCompleteChar: "█",
    barIncompleteChar: "░",
  });
  bar.start(1, 0, { name, passed: seconds() });
  const timer = setInterval(() => {
    bar.setTotal(latest.asked);
    bar.update(latest.done, { name, passed: seconds() });
  }, FRAME_MS);
  return {
    update: (progress) => {
      latest = progress;
    },
    note: () => {},
    stop: () => {
      clearInterval(timer);
      if (bar.isActive) bar.stop();
    },
  };
}
