import type { GradedMove } from "../logic/grade.js";
import { capital, formatGiven, moveWords } from "../logic/words.js";
import { type Game, isMistake, type Ply } from "./game.js";
import type { Seats } from "./seats.js";

/** The numbers of the moves from which a reader can learn: the reader's own mistakes, or all of a watched game. */
export function mistakesIn({ plies }: Game, seats: Seats): number[] {
  const withYou = seats.slider === "you" || seats.placer === "you";
  return plies.flatMap((ply, i) =>
    isMistake(ply) && (!withYou || seats[ply.before.turn] === "you") ? [i] : [],
  );
}

/** The verdict on a move that a reader tries in place of a mistake. */
export interface Attempt {
  readonly kind: "best" | "better" | "open" | "not better" | "same";
  readonly words: string;
}

/** Compares a move with the mistake that was made at its node. */
export function judge(move: GradedMove, { step, cost }: Ply): Attempt {
  const name = capital(moveWords(move.step));
  const gives = `gives away ${formatGiven(move.cost)}`;
  const gave = formatGiven(cost);
  if (move.best) return { kind: "best", words: `${name} is best: it gives nothing away.` };
  if (move.step.name === step.name) {
    return { kind: "same", words: `${name} is the move of the game: it gave away ${gave}.` };
  }
  if (move.verdict !== "worse") {
    return { kind: "open", words: `${name} may be best: nothing better is proven.` };
  }
  if (move.cost.hi < cost.lo) {
    const sentence = `${name} is better: it ${gives} instead of ${gave}. There is a better move still.`;
    return { kind: "better", words: sentence };
  }
  const verdict = move.cost.lo >= cost.hi ? "no better" : "not best";
  return { kind: "not better", words: `${name} is ${verdict}: it ${gives}. Try another.` };
}
