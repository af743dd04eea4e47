/* Loaded before a solve by kill.js: ends one of its threads after KILL_THREAD_AFTER milliseconds. */
import { threadId } from "node:worker_threads";

const after = process.env.KILL_THREAD_AFTER;
if (after !== undefined && threadId === 0) {
  const threads = [];
  process.on("worker", (worker) => threads.push(worker));
  setTimeout(() => {
    threads[Math.floor(Math.random() * threads.length)]?.terminate();
  }, Number(after)).unref();
}
