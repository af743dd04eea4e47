/* A thread of a `LocalPool`: answers the questions it is posted, one at a time. */
import { parentPort, workerData } from "node:worker_threads";
import { Kernel } from "@gridlock/kernel";
import type { PoolReply, PoolWorkerData } from "./pool.js";
import type { Question } from "./port.js";

const { table, thread, together } = workerData as PoolWorkerData;
const kernel = new Kernel(table, thread, together);

parentPort?.on("message", (question: Question) => {
  const reply: PoolReply = kernel.ask(question, question.threshold);
  parentPort?.postMessage(reply);
});
