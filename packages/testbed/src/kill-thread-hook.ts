/*
 * Preloaded into a command (`node --import`): ends one of its threads after KILL_THREAD_AFTER
 * milliseconds, or so long after its start that with the number KILL_THREAD, the first being 0.
 */
import { isMainThread, type Worker } from "node:worker_threads";

const { KILL_THREAD: number, KILL_THREAD_AFTER: after } = process.env;
if (after !== undefined && isMainThread) {
  const threads: Worker[] = [];
  process.on("worker", (worker) => {
    if (number === String(threads.length)) endLater(() => worker);
    threads.push(worker);
  });
  const endLater = (chosen: () => Worker | undefined) =>
    void setTimeout(() => void chosen()?.terminate(), Number(after)).unref();
  if (number === undefined) endLater(() => threads[Math.floor(Math.random() * threads.length)]);
}
