import { isExact } from "@gridlock/game";
import type { Choice } from "@gridlock/players";
import type { PlayerAnswer as PlayerAnswerJson } from "@gridlock/schemas";
import type { Answer } from "./answer.js";

/** A player's choices in a position, and their average cost; `undefined` if it is not known. */
export interface PlayerAnswer {
  readonly name: string;
  /** None at the end of the game. */
  readonly choices: readonly Choice[];
  /** Points that it gives away against the placer. */
  readonly cost: number | undefined;
  /** Points that it gives away in the ordinary game. */
  readonly expectedCost: number | undefined;
}

/** Adds the costs of a player's choices in the position of an answer. */
export function playerAnswer(
  { name, choices }: Pick<PlayerAnswer, "name" | "choices">,
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
    if (known.length < all.length || known.length === 0) return undefined;
    const best = Math.max(...known);
    return choices.reduce(
      (cost, { direction, probability }) =>
        cost + probability * (best - (worths.get(direction)?.[game] as number)),
      0,
    );
  };
  return { name, choices, cost: costIn("minimax"), expectedCost: costIn("expected") };
}

/** Returns a player's answer for JSON: null for what is not known. */
export function playerAnswerAsJson({
  name,
  choices,
  cost,
  expectedCost,
}: PlayerAnswer): PlayerAnswerJson {
  return {
    name,
    choices: choices.map(({ direction: move, probability }) => ({ move, probability })),
    cost: cost ?? null,
    expectedCost: expectedCost ?? null,
  };
}
