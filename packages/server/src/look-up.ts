import { answerAsJson, isProven, type Library, worthAsJson } from "@gridlock/answers";
import type { AnswerQuery } from "./answerer.js";
import type { SearchReply } from "./search-worker.js";

/** Returns the answer if a library has it; `undefined` if it takes a search. */
export function lookUpIn(library: Library, query: AnswerQuery): SearchReply | undefined {
  if (query.valueOnly) {
    const worth = library.lookUpWorth(query);
    return worth && { json: JSON.stringify(worthAsJson(worth)), exact: isProven(worth) };
  }
  const answer = library.lookUp(query);
  return answer && { json: JSON.stringify(answerAsJson(answer)), exact: true };
}
