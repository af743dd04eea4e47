/* A thread of a `LocalPool`: answers the questions it is posted, one at a time. */
import { parentPort, workerData } from "node:worker_threads";
import { Kernel, type SharedTable } from "@gridlock/kernel";
import type { PoolReply, PoolRequest } from "./pool.js";

const { table, thread } = workerData as { table: SharedTable; thread: number };
const kernel = new Kernel(table, thread);

parentPort?.on("message", (question: PoolRequest) => {
  const reply: PoolReply = kernel.ask(question, question.threshold);
  parentPort?.postMessage(reply);
});
