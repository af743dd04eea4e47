import type { PlayerAnswer } from "@gridlock/answers";
import { formatPercent, formatPoints } from "@gridlock/report";

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
