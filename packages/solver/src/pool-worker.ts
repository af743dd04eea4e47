/* A thread of a `LocalPool`: does what it is posted, one task at a time. */
import { parentPort, workerData } from "node:worker_threads";
import { Kernel, touchTable } from "@gridlock/kernel";
import type { PoolReply, PoolTask, PoolWorkerData } from "./pool.js";

const { table, thread, search } = workerData as PoolWorkerData;
const kernel = new Kernel(table, thread, search);

function answer(task: PoolTask): PoolReply {
  if (task === "touch") touchTable(table);
  else if ("threshold" in task) return kernel.ask(task, task.threshold, task.budget, task.tieSeed);
  else kernel.unpack(task.batches);
  return undefined;
}

parentPort?.on("message", (task: PoolTask) => {
  parentPort?.postMessage(answer(task));
});
