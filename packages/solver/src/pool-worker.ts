/* A thread of a `LocalPool`: does what it is posted, one task at a time. */
import { parentPort, workerData } from "node:worker_threads";
import { Kernel, touchTable } from "@gridlock/kernel";
import type { PoolReply, PoolTask, PoolWorkerData } from "./pool.js";

const { table, thread, together } = workerData as PoolWorkerData;
const kernel = new Kernel(table, thread, together);

function answer(task: PoolTask): PoolReply {
  if (task === "touch") touchTable(table);
  else if ("threshold" in task) return kernel.ask(task, task.threshold);
  else kernel.unpack(task.batches);
  return undefined;
}

parentPort?.on("message", (task: PoolTask) => {
  parentPort?.postMessage(answer(task));
});
