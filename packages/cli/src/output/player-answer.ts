import { isExact } from "@gridlock/game";
import { type Choice, Grid, type Player } from "@gridlock/players";
import { formatPercent, formatPoints } from "@gridlock/report";
import type { Answer } from "../library.js";

/** What a player does in a position, and what that costs on average; `undefined` if it is not known. */
export interface PlayerAnswer {
  readonly name: string;
  /** None at the end of the game. */
  readonly choices: readonly Choice[];
  /** Points that it gives away against the placer. */
  readonly cost: number | undefined;
  /** Points that it gives away in the ordinary game. */
  readonly expectedCost: number | undefined;
}

/** Asks a player about the position of an answer. */
export function playerAnswer(player: Player, { board, moves }: Answer): PlayerAnswer {
  const choices = moves.length === 0 ? [] : player.choose(new Grid(board).cells(board));
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
  return {
    name: player.name,
    choices,
    cost: costIn("minimax"),
    expectedCost: costIn("expected"),
  };
}

/** Returns a player's answer for JSON: null for what is not known. */
export function playerAnswerAsJson({ name, choices, cost, expectedCost }: PlayerAnswer): string {
  return JSON.stringify({
    name,
    choices,
    cost: cost ?? null,
    expectedCost: expectedCost ?? null,
  });
}

/** Formats a player's answer as a sentence. */
export function playerAnswerAsText({ name, choices, cost, expectedCost }: PlayerAnswer): string {
  if (choices.length === 0) return `${name}: the game is over`;
  const slides = choices.map(({ direction, probability }) =>
    probability === 1 ? direction : `${direction} (${formatPercent(probability)})`,
  );
  const costs = [
    cost === undefined ? [] : [`${formatPoints(cost)} points against the placer`],
    expectedCost === undefined ? [] : [`${formatPoints(expectedCost)} in the ordinary game`],
  ].flat();
  const given = costs.length === 0 ? "the cost is not known" : `costs ${costs.join(", ")}`;
  return `${name} slides ${slides.join(" or ")}: ${given}`;
}
