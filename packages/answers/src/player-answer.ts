import { isExact } from "@gridlock/game";
import type { Choice } from "@gridlock/players";
import type { PlayerAnswer } from "@gridlock/schemas";
import type { Answer } from "./answer.js";

/**
 * Returns a player's choices in the position of an answer, and their average costs; null if they are not known.
 *
 * @param choices none at the end of the game
 */
export function playerAnswer(
  name: string,
  choices: readonly Choice[],
  { moves }: Answer,
): PlayerAnswer {
  const worths = new Map(
    moves.map(({ move, score, bound, expected }) => [
      move.name,
      {
        minimax: isExact(bound) ? score + bound.lo : undefined,
        expected: expected === undefined ? undefined : score + expected,
      },
    ]),
  );
  const costIn = (game: "minimax" | "expected") => {
    const all = [...worths.values()].map((worth) => worth[game]);
    const known = all.filter((worth) => worth !== undefined);
    if (known.length < all.length || known.length === 0) return null;
    const best = Math.max(...known);
    return choices.reduce(
      (cost, { direction, probability }) =>
        cost + probability * (best - (worths.get(direction)?.[game] as number)),
      0,
    );
  };
  return {
    name,
    choices: choices.map(({ direction: move, probability }) => ({ move, probability })),
    cost: costIn("minimax"),
    expectedCost: costIn("expected"),
  };
}
