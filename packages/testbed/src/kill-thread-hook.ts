/*
 * Preloaded into a command (`node --import`): ends one of its threads after KILL_THREAD_AFTER
 * milliseconds, or so long after their start those with the numbers KILL_THREAD ("0,4"), the first
 * being 0.
 */
import { isMainThread, type Worker } from "node:worker_threads";

const { KILL_THREAD: numbers, KILL_THREAD_AFTER: after } = process.env;
if (after !== undefined && isMainThread) {
  const threads: Worker[] = [];
  process.on("worker", (worker) => {
    if (numbers?.split(",").includes(`${threads.length}`)) endLater(() => worker);
    threads.push(worker);
  });
  const endLater = (chosen: () => Worker | undefined) =>
    void setTimeout(() => void chosen()?.terminate(), Number(after)).unref();
  if (numbers === undefined) endLater(() => threads[Math.floor(Math.random() * threads.length)]);
}
