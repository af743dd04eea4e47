import {
  answerAsJson,
  isProven,
  type Library,
  type Query,
  type Worth,
  worthAsJson,
} from "@gridlock/answers";
import { isExact } from "@gridlock/game";

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

function replyOfWorth(worth: Worth): SearchReply {
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

/** Returns the answer that a library has, or finds within the query's budget. */
export function answerOf(library: Library, query: AnswerQuery & Query): SearchReply {
  if (query.valueOnly) return replyOfWorth(library.worth(query));
  const answer = library.answer(query);
  const exact =
    answer.line !== undefined &&
    isProven(answer) &&
    answer.moves.every(({ bound }) => isExact(bound));
  return { json: JSON.stringify(answerAsJson(answer)), exact };
}
