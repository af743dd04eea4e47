import { useMemo } from "preact/hooks";
import type { Answer } from "../data.js";
import type { Spot } from "../logic/address.js";
import { type Ahead, expectedAnswer, narrowedBy } from "../logic/ahead.js";
import { boundOf, gradeMoves } from "../logic/grade.js";

/**
 * Grades the moves of a board. The rules give them at once; the answer says what they are worth.
 *
 * @param ahead what is known of the board without its answer
 */
export function useMoves(spot: Spot, answer: Answer | undefined, ahead?: Ahead) {
  const { node, tiles } = spot;
  const here = useMemo(
    () => narrowedBy(answer ?? expectedAnswer(spot, ahead), ahead),
    [node, String(tiles), answer, ahead?.lo, ahead?.hi],
  );
  const moves = useMemo(() => gradeMoves(node, here), [node, here]);
  return { here, moves, worth: boundOf(here, node.board) };
}
