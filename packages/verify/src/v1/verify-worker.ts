/* A worker thread of `verify`: checks claims of its job until all have been handed out. */
import { parentPort, workerData } from "node:worker_threads";
import { type Job, work } from "./work.js";

const checking = work(workerData as Job);
let step = checking.next();
while (!step.done) step = checking.next();
parentPort?.postMessage(step.value);
