import { type Answer, answerAsJson } from "@gridlock/answers/json";
import type { BoardAnswer } from "./solver.js";

/** Returns an answer as the objects of the JSON output, with the moves that are proven best. */
export function boardAnswerOf(answer: Answer): BoardAnswer {
  const best = answer.moves.filter(({ verdict }) => verdict.verdict === "best");
  return { ...answerAsJson(answer), best: best.map(({ move }) => move.name) };
}
