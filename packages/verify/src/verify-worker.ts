/* A thread of `verify`: checks claims until none is left, and posts what came of them. */
import { parentPort, workerData } from "node:worker_threads";
import { type Job, work } from "./work.js";

const checking = work(workerData as Job);
let step = checking.next();
while (!step.done) step = checking.next();
parentPort?.postMessage(step.value);
