import type { Node } from "@gridlock/game";
import type { Analysis } from "@gridlock/solver";
import type { Answer, AnswerSource } from "./answer.js";
import { withVerdicts } from "./verdicts.js";

/**
 * Makes an answer of an analysis: adds the verdicts on the moves, and the expected scores.
 *
 * @param source the source of its bound, if it is not the analysis's own
 * @param expectedOf returns the points expected from a node against chance, if the game is tabulated
 */
export function answerOfAnalysis(
  analysis: Analysis,
  source: AnswerSource = analysis.source,
  expectedOf?: (node: Node) => number | undefined,
): Answer {
  const { turn, bound, moves } = analysis;
  return {
    ...analysis,
    source,
    tabulated: expectedOf !== undefined,
    expected: expectedOf?.(analysis),
    moves: withVerdicts(turn, bound, moves).map((move) => ({
      ...move,
      expected: expectedOf?.(move.to),
    })),
  };
}
