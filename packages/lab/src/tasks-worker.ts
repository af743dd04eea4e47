/* A thread of a `Bench`: does one task after another. */
import { answerRequests } from "@gridlock/threads";
import type { TaskRequest } from "./bench.js";
import * as tasks from "./tasks.js";

const functions = { ...tasks };

answerRequests(({ name, task }: TaskRequest): unknown => {
  const run: (task: never) => unknown = functions[name];
  return run(task as never);
});
