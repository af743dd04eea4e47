/* A thread of a `Crew`: runs the tasks posted to it, one at a time. */
import { parentPort } from "node:worker_threads";
import { enter } from "./arena.js";
import type { CrewTask } from "./crew.js";
import type { SweepExports } from "./module.js";

let sweep: SweepExports | undefined;

parentPort?.on("message", (task: CrewTask) => {
  if ("arena" in task) sweep = enter(task.arena);
  else sweep?.[task.kind](task.list, task.count, task.near);
  parentPort?.postMessage("done");
});
