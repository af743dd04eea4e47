/* A thread of a `LocalPool`: does one task at a time. */

import { workerData } from "node:worker_threads";
import { isStackOverflow, Kernel, touchTable } from "@gridlock/kernel";
import { answerRequests } from "@gridlock/threads";
import type { PoolReply, PoolTask, PoolWorkerData, ProofCall } from "./pool.js";
import { attachToProof, type ProofExports } from "./proof-memory.js";

const { table, thread, search, proof } = workerData as PoolWorkerData;
const kernel = new Kernel(table, thread, search);
const expander = proof && attachToProof(proof, thread, kernel);

answerRequests((task: PoolTask): PoolReply => {
  if ("touch" in task) touchTable(table, ...task.touch);
  else if ("threshold" in task) return kernel.ask(task, task.threshold, task.budget, task.company);
  else if ("batches" in task) kernel.records.unpack(task.batches);
  else return call(task);
  return undefined;
});

function call({ call, args }: ProofCall): number | undefined {
  try {
    const called = (expander as ProofExports)[call] as (
      ...args: readonly number[]
    ) => number | undefined;
    return called(...args);
  } catch (error) {
    if (!isStackOverflow(error)) throw error;
    throw new Error("the search went deeper than the stack allows", { cause: error });
  }
}
