import { type Bound, isExact } from "@gridlock/game";
import type { GradedMove } from "../logic/grade.js";
import {
  capital,
  formatBound,
  formatGiven,
  formatNumber,
  isUnknown,
  moveWords,
  points,
} from "../logic/words.js";
import { earnedIn, type Game, givenBy, isMistake, type Ply } from "./game.js";
import { readersSides, type Seats } from "./seats.js";

/** Explains a score: `The start was worth 184; you gave away 12, the placer gave 4: 176.` */
export function accountOf(game: Game, seats: Seats): string {
  const first = game.plies[0]?.worth;
  if (first === undefined) return "No move was made.";
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

/** Says whether the value of a board is known, and what that means for a game. */
export function knowledgeWords(seats: Seats, worth: Bound, isDone: boolean): string {
  const [first, second] = (["slider", "placer"] as const).filter(
    (turn) => seats[turn] === "perfect",
  );
  const who = second ? "both sides are" : `the ${first} is`;
  if (isExact(worth)) {
    return `The value of this board is known${first ? `: ${who} perfect here` : ""}.`;
  }
  const strong = first ? `: ${who} strong, but a better move may exist` : "";
  return `The value of this board is not known${isDone ? "" : " yet"}${strong}. Only mistakes that are proven count.`;
}

/** Most moves that a hint names. */
const MOST_NAMED = 3;

function namesOf(moves: readonly GradedMove[]): string {
  const names = moves.slice(0, MOST_NAMED).map(({ step }) => moveWords(step));
  const more = moves.length > MOST_NAMED ? ` and ${moves.length - MOST_NAMED} more` : "";
  return `${names.join(", ")}${more}`;
}

/** Says which moves are best or, where none is proven best, which may be and which are not. */
export function hintWords(moves: readonly GradedMove[]): string {
  const best = moves.filter(({ verdict }) => verdict === "best");
  const [first] = best;
  if (first !== undefined) {
    const worth = isUnknown(first.total) ? "" : ` ${capital(points(first.total))} from here.`;
    return `Best: ${namesOf(best)}.${worth}`;
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

/** The numbers of moves to learn from: the reader's own mistakes, or all in a watched game. */
export function mistakesIn({ plies }: Game, seats: Seats): number[] {
  const sides = readersSides(seats);
  return plies.flatMap((ply, i) =>
    isMistake(ply) && (sides.length === 0 || sides.includes(ply.before.turn)) ? [i] : [],
  );
}

/** The verdict on a move that a reader tries in place of a mistake. */
export interface Attempt {
  readonly best: boolean;
  readonly words: string;
}

/** Compares a move with the mistake that was made at its node. */
export function compareWithMistake(move: GradedMove, { step, cost }: Ply): Attempt {
  const name = capital(moveWords(move.step));
  const gives = `gives away ${formatGiven(move.cost)}`;
  const gave = formatGiven(cost);
  if (move.verdict === "best")
    return { best: true, words: `${name} is best: it gives nothing away.` };
  if (move.step.name === step.name) {
    return { best: false, words: `${name} is the move of the game: it gave away ${gave}.` };
  }
  if (move.verdict !== "worse") {
    return { best: false, words: `${name} may be best: nothing better is proven.` };
  }
  if (move.cost.hi < cost.lo) {
    const sentence = `${name} is better: it ${gives} instead of ${gave}. There is a better move still.`;
    return { best: false, words: sentence };
  }
  const verdict = move.cost.lo >= cost.hi ? "no better" : "not best";
  return { best: false, words: `${name} is ${verdict}: it ${gives}. Try another.` };
}

/** Names the moves that would have been best in place of a mistake. */
export function revealed(moves: readonly GradedMove[]): Attempt {
  const best = moves.filter(({ verdict }) => verdict === "best").map(({ step }) => moveWords(step));
  const words = best.length > 0 ? `Best: ${best.join(", or ")}.` : "No move is proven best here.";
  return { best: true, words };
}

/** Says how a game ended or how far it went, and what was given away. */
export function endingOf(game: Game, seats: Seats, over: boolean, unvalued: number): string {
  const earned = `${formatNumber(earnedIn(game))} points`;
  const count = game.plies.length;
  const account =
    unvalued > 0
      ? `Looking up the values of its moves: ${count - unvalued} of ${count}.`
      : accountOf(game, seats);
  const first = over ? `Game over with ${earned}.` : `So far, ${earned} in ${count} moves.`;
  return `${first} ${account}`;
}

/** Names the way to the lessons of a game. */
export function lessonsName(mistakes: number, withYou: boolean): string {
  const whose = withYou ? "your" : "the";
  return `Learn from ${whose} ${mistakes === 1 ? "mistake" : `${mistakes} mistakes`}`;
}
