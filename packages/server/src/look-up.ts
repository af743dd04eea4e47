import { type Answer, type AnswerQuery, asJson, type Library, type Worth } from "@gridlock/answers";
import { isProven } from "@gridlock/answers/json";
import { isExact } from "@gridlock/game";

/** The answer as JSON. */
export interface SearchReply {
  readonly json: string;
  /** True if all of it is proven, so that it will never change. */
  readonly exact: boolean;
}

/** Returns the answer that a library has, or `undefined` if the board must be searched. */
export function lookUpIn(library: Library, query: AnswerQuery): SearchReply | undefined {
  const found = query.valueOnly ? library.lookUpWorth(query) : library.lookUp(query);
  return found && replyOf(found);
}

/** Returns an answer, or a value alone, as JSON. */
export function replyOf(answer: Answer | Worth): SearchReply {
  const isWhole =
    !("moves" in answer) ||
    (answer.line !== undefined && answer.moves.every(({ bound }) => isExact(bound)));
  return { json: JSON.stringify(asJson(answer)), exact: isWhole && isProven(answer) };
}
