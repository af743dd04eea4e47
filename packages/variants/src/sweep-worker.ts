/* A thread of a sweep: runs the tasks posted to it, one at a time. */
import { answerRequests } from "@gridlock/store";
import { enter } from "./arena.js";
import type { VariantExports } from "./module.js";
import type { SweepTask } from "./sweep.js";

let sweep: VariantExports | undefined;

answerRequests((task: SweepTask): void => {
  if ("arena" in task) sweep = enter(task.arena, task.thread);
  else sweep?.[task.kind](task.half, task.count);
});
