import {
  answerAsJson,
  isProven,
  type Library,
  type Query,
  type Worth,
  worthAsJson,
} from "@gridlock/answers";

/** A board, or its value alone, to be answered. */
export type AnswerQuery = Omit<Query, "isStopped"> & {
  readonly valueOnly?: boolean;
};

/** The answer as JSON. */
export interface SearchReply {
  readonly json: string;
  /** True if all of it is proven, so that it will never change. */
  readonly exact: boolean;
}

/** Returns a value alone as a reply. */
export function replyOfWorth(worth: Worth): SearchReply {
  return { json: JSON.stringify(worthAsJson(worth)), exact: isProven(worth) };
}

/** Returns the answer that a library has, or `undefined` if the board must be searched. */
export function lookUpIn(library: Library, query: AnswerQuery): SearchReply | undefined {
  if (query.valueOnly) {
    const worth = library.lookUpWorth(query);
    return worth && replyOfWorth(worth);
  }
  const answer = library.lookUp(query);
  return answer && { json: JSON.stringify(answerAsJson(answer)), exact: true };
}
