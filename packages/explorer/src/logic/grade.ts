import type { Bound, Node } from "@gridlock/game";
import type { Answer, MoveAnswer, Worth } from "../data.js";
import { applyMove, type Step } from "./moves.js";

/** A move with what it is worth in all, and what it gives away. */
export interface GradedMove {
  readonly answer: MoveAnswer;
  readonly step: Step;
  /** Points of the move and everything after it. */
  readonly total: Bound;
  /** Points that the move gives to the other side, compared with the best one. */
  readonly cost: Bound;
  /** True if the move is proven to be as good as any. An open interval never is. */
  readonly best: boolean;
  /** The score to be expected in the ordinary game, the move's points included; absent if it is not known. */
  readonly expected?: number;
}

/** Returns what is proven of a value. */
export function boundOf({ lo, hi }: Worth): Bound {
  return { lo, hi };
}

/** Returns whether a bound is a value. */
export function isSettled({ lo, hi }: Bound): boolean {
  return lo === hi;
}

/** Adds two bounds. */
export function addBounds(a: Bound, b: Bound): Bound {
  return { lo: a.lo + b.lo, hi: a.hi + b.hi };
}

/** Adds points to a bound. */
export function shift(bound: Bound, points: number): Bound {
  return { lo: bound.lo + points, hi: bound.hi + points };
}

/** Returns what a move gives away if its node is worth `value`, and the move in all `total`. */
function costOf(turn: Node["turn"], value: Bound, total: Bound): Bound {
  const [more, less] = turn === "slider" ? [value, total] : [total, value];
  return { lo: Math.max(0, more.lo - less.hi), hi: Math.max(0, more.hi - less.lo) };
}

/**
 * Grades an answer's moves: best ones first, then by what they give away, those that may give away anything last; among
 * equals in the answer's order.
 */
export function gradeMoves(node: Node, answer: Answer): GradedMove[] {
  const value = boundOf(answer);
  const graded = answer.moves.flatMap((move): GradedMove[] => {
    const step = applyMove(node, move.move ?? move.place ?? "");
    if (step === undefined) return [];
    const total = shift(boundOf(move), move.score);
    const cost = costOf(node.turn, value, total);
    const best = isSettled(total) && isSettled(cost) && cost.lo === 0 && isSettled(value);
    const expected = move.expected ?? undefined;
    return [
      {
        ...{ answer: move, step, total, cost, best },
        ...(expected === undefined ? {} : { expected: move.score + expected }),
      },
    ];
  });
  const rank = ({ total, cost }: GradedMove) => (isSettled(total) ? cost.hi : 1e9 + cost.hi);
  return graded.sort((a, b) => rank(a) - rank(b));
}

/** The strength of a move's colour, beside words. */
export type Grade = "best" | "slight" | "costly" | "grave" | "open";

/** Returns a move's grade: how large a share of what is at stake it gives away. */
export function gradeOf({ best, total, cost }: GradedMove): Grade {
  if (best) return "best";
  if (!isSettled(total) || !isSettled(cost)) return "open";
  const share = cost.lo / Math.max(total.lo + cost.lo, 1);
  if (share <= 0.05) return "slight";
  return share <= 0.2 ? "costly" : "grave";
}
