/* A thread of a `LocalPool`: does one task at a time. */

import { workerData } from "node:worker_threads";
import { Kernel, touchTable } from "@gridlock/kernel";
import { answerRequests } from "@gridlock/store";
import type { PoolReply, PoolTask, PoolWorkerData } from "./pool.js";

const { table, thread, search } = workerData as PoolWorkerData;
const kernel = new Kernel(table, thread, search);

answerRequests((task: PoolTask): PoolReply => {
  if ("touch" in task) touchTable(table, ...task.touch);
  else if ("threshold" in task) return kernel.ask(task, task.threshold, undefined, task.company);
  else kernel.records.unpack(task.batches);
  return undefined;
});
