/* Preloaded into a solve (`node --import`): ends one of its threads after KILL_THREAD_AFTER milliseconds. */
import { isMainThread, type Worker } from "node:worker_threads";

const { KILL_THREAD_AFTER: after } = process.env;
if (after !== undefined && isMainThread) {
  const threads: Worker[] = [];
  process.on("worker", (worker) => threads.push(worker));
  setTimeout(() => {
    void threads[Math.floor(Math.random() * threads.length)]?.terminate();
  }, Number(after)).unref();
}
