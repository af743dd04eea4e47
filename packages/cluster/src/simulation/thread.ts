/* A virtual thread: a real one that searches step by step, whenever the conductor lets it go on. */
import { parentPort, workerData } from "node:worker_threads";
import { Kernel, type SharedTable, Steps } from "@gridlock/kernel";
import { Desk } from "./desk.js";

/** The data that a virtual thread is started with. */
export interface ThreadData {
  readonly table: SharedTable;
  readonly thread: number;
  readonly together: boolean;
  readonly tieSeed: bigint;
  readonly desk: SharedArrayBuffer;
}

const { table, thread, together, tieSeed, desk: buffer } = workerData as ThreadData;
const kernel = new Kernel(table, thread, { together });
const steps = new Steps(table, thread);
const desk = new Desk(buffer);
parentPort?.postMessage("ready");

for (let task = desk.take(); task !== undefined; task = desk.take()) {
  try {
    desk.settle(kernel.ask(task, task.threshold, task.budget, tieSeed));
  } catch (error) {
    desk.settle("failed");
    throw error;
  } finally {
    steps.end();
  }
}
