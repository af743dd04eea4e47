import { answerAsJson, isProven, type Library, type Query, worthAsJson } from "@gridlock/answers";
import type { SearchReply } from "./search-worker.js";

/** A board, or its value alone, to be answered. */
export type AnswerQuery = Omit<Query, "isStopped"> & {
  readonly valueOnly?: boolean;
};

/** Returns the answer if a library has it; `undefined` if it takes a search. */
export function lookUpIn(library: Library, query: AnswerQuery): SearchReply | undefined {
  if (query.valueOnly) {
    const worth = library.lookUpWorth(query);
    return worth && { json: JSON.stringify(worthAsJson(worth)), exact: isProven(worth) };
  }
  const answer = library.lookUp(query);
  return answer && { json: JSON.stringify(answerAsJson(answer)), exact: true };
}
