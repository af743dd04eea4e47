import type { GradedMove } from "../logic/grade.js";
import { formatGiven, isUnknown, moveWords, points } from "../logic/words.js";

/** Most moves that a hint names. */
const MOST_NAMED = 3;

function namesOf(moves: readonly GradedMove[]): string {
  const names = moves.slice(0, MOST_NAMED).map(({ step }) => moveWords(step));
  const more = moves.length > MOST_NAMED ? ` and ${moves.length - MOST_NAMED} more` : "";
  return `${names.join(", ")}${more}`;
}

/** Says which moves are best or, where none is proven best, which may be and which are not. */
export function hintWords(moves: readonly GradedMove[]): string {
  const best = moves.filter((move) => move.best);
  const [first] = best;
  if (first !== undefined) {
    const worth = points(first.total);
    const sentence = `${worth.charAt(0).toUpperCase()}${worth.slice(1)} from here.`;
    return `Best: ${namesOf(best)}.${isUnknown(first.total) ? "" : ` ${sentence}`}`;
  }
  const open = moves.filter(({ verdict }) => verdict === "open");
  const worse = moves.filter(({ verdict }) => verdict === "worse").slice(0, MOST_NAMED);
  const mistakes = worse.map(({ step, cost }) => `${moveWords(step)} (${formatGiven(cost)})`);
  return [
    "No move is proven best.",
    ...(open.length > 0 ? [`May be best: ${namesOf(open)}.`] : []),
    ...(mistakes.length > 0 ? [`Gives points away: ${mistakes.join(", ")}.`] : []),
  ].join(" ");
}
