import { isExact } from "@gridlock/game";
import type { Choice } from "@gridlock/players";
import type { PlayerAnswer } from "@gridlock/schemas";
import type { Answer, AnsweredMove } from "./answer.js";

/**
 * Returns a player's choices in the position of an answer, and their average costs; null if they
 * are not known.
 *
 * @param choices none at the end of the game
 */
export function playerAnswer(
  name: string,
  choices: readonly Choice[],
  { moves }: Answer,
): PlayerAnswer {
  const costBy = (worthOf: (move: AnsweredMove) => number | undefined) => {
    const worths = new Map(
      moves.map((move) => [move.move.name, move.score + (worthOf(move) ?? Number.NaN)]),
    );
    const best = Math.max(...worths.values());
    if (!Number.isFinite(best)) return null; // a value is not known, or there is no move
    const costOf = ({ direction, probability }: Choice) =>
      probability * (best - (worths.get(direction) as number));
    return choices.reduce((cost, choice) => cost + costOf(choice), 0);
  };
  return {
    name,
    choices: choices.map(({ direction: move, probability }) => ({ move, probability })),
    cost: costBy(({ bound }) => (isExact(bound) ? bound.lo : undefined)),
    expectedCost: costBy(({ expected }) => expected),
  };
}
