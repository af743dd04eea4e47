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
  readonly order: number;
}

/** A question to search, and the most nodes to expand; "attach" only prepares the thread. */
export type ThreadRequest =
  | "attach"
  | { readonly question: Question; readonly budget: number | undefined };

const { table, thread, ...company } = workerData as ThreadData;
const kernel = new Kernel(table, thread);
const steps = new Steps(table, thread);

answerRequests((request: ThreadRequest): Bound | undefined => {
  if (request === "attach") return undefined;
  const { question, budget } = request;
  try {
    return kernel.ask(question, question.threshold, budget, company);
  } finally {
    steps.end();
  }
});
