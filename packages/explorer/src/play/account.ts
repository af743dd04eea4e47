import { formatBound, formatGiven, isUnknown } from "../logic/words.js";
import { earnedIn, type Game, givenBy } from "./game.js";
import type { Seats } from "./seats.js";

/** Says how a game's points came about: `The start was worth 184; you gave away 12, the placer gave 4: 176.` */
export function accountOf(game: Game, seats: Seats): string {
  const first = game.plies[0]?.worth;
  const earned = earnedIn(game);
  if (first === undefined) return `${earned} points.`;
  const sides = (["slider", "placer"] as const).map((turn) => {
    const given = givenBy(game, turn);
    const who = seats[turn] === "you" ? "you" : `the ${turn}`;
    if (given.hi === 0) return `${who} gave nothing away`;
    if (given.lo === 0) return `no mistake of ${seats[turn] === "you" ? "yours" : who} is proven`;
    return `${who} gave ${formatGiven(given)} away`;
  });
  const worth = isUnknown(first)
    ? "The value of the start is not known"
    : `The start was worth ${formatBound(first)}`;
  return `${worth}: ${sides.join(", ")}.`;
}
