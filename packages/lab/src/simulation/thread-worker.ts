/* A thread of a virtual machine: a real one that searches step by step. */

import { workerData } from "node:worker_threads";
import type { Bound } from "@gridlock/game";
import { Kernel, type SharedTable, Steps } from "@gridlock/kernel";
import type { Question } from "@gridlock/solver";
import { answerRequests } from "@gridlock/threads";

/** The data that a virtual thread starts with. */
export interface ThreadData {
  readonly table: SharedTable;
  readonly thread: number;
  /** True if any other thread, here or on another machine, searches the same question. */
  readonly together: boolean;
  /** True if any other thread of this machine does. */
  readonly neighbours: boolean;
  readonly question: Question;
  readonly order: number;
}

/** `attach` only prepares the thread; `search` asks its question. */
export type ThreadRequest = "attach" | "search";

const { table, thread, question, ...company } = workerData as ThreadData;
const kernel = new Kernel(table, thread);
const steps = new Steps(table, thread);

answerRequests((request: ThreadRequest): Bound | undefined => {
  if (request === "attach") return undefined;
  try {
    return kernel.ask(question, question.threshold, undefined, company);
  } finally {
    steps.end();
  }
});
