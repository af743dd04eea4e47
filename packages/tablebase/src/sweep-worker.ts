/* A thread of a sweep: runs the tasks posted to it, one at a time. */
import { StoreError } from "@gridlock/store";
import { answerRequests } from "@gridlock/threads";
import { enter } from "./arena.js";
import type { SweepExports } from "./module.js";
import type { SweepTask } from "./sweep.js";

let sweep: SweepExports | undefined;
let isTabulating = false;

answerRequests((task: SweepTask): void => {
  if ("arena" in task) {
    sweep = enter(task.arena, task.thread);
    isTabulating = task.arena.plan.states === 0;
    return;
  }
  try {
    sweep?.[task.kind](task.half, task.count);
  } catch (error) {
    if (!(isTabulating && error instanceof WebAssembly.RuntimeError)) throw error;
    // The module traps on boards that no play makes, and so no sweep writes.
    throw new StoreError(
      "damaged",
      "a file of the tabulation has contents that no sweep writes, with checksums that are right; move the files away and run gridlock tabulate",
      { cause: error },
    );
  }
});
