/* A thread of a `Crew`: runs the tasks posted to it, one at a time. */
import { answerRequests } from "@gridlock/store";
import { enter } from "./arena.js";
import type { CrewTask } from "./crew.js";
import type { SweepExports } from "./module.js";

let sweep: SweepExports | undefined;

answerRequests((task: CrewTask): void => {
  if ("arena" in task) sweep = enter(task.arena);
  else sweep?.[task.kind](task.list, task.count, task.near);
});
