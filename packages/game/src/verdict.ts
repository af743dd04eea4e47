import type { Turn } from "./board.js";
import type { Bound, BoundedMove } from "./bound.js";

/**
 * A verdict on a move, from proven bounds alone, for the player who makes it.
 *
 * - `best`: no move is better.
 * - `as good`: some other move is at least as good, so this one need not be considered. It may be
 *   worse.
 * - `worse`: it gives away at least `by` points.
 * - `open`: it may be better than all others.
 */
export type Verdict =
  | { readonly verdict: "best" | "as good" | "open" }
  | { readonly verdict: "worse"; readonly by: number };

/**
 * Returns the verdicts on all moves of a board, in their order.
 *
 * @param bound a proven bound of the board itself
 */
export function verdictsOn(
  turn: Turn,
  bound: Bound,
  moves: readonly BoundedMove[],
): readonly Verdict[] {
  // In points for the player who moves: the placer's are negative.
  const mine = ({ lo, hi }: Bound): Bound =>
    turn === "slider" ? { lo, hi } : { lo: -hi, hi: -lo };
  const worths = moves.map(({ score, bound: { lo, hi } }) =>
    mine({ lo: score + lo, hi: score + hi }),
  );
  const whole = mine(bound);
  const sure = Math.max(whole.lo, ...worths.map(({ lo }) => lo));
  return worths.map(({ lo, hi }, i) => {
    const isBest = lo >= whole.hi || worths.every((other, j) => j === i || other.hi <= lo);
    if (isBest) return { verdict: "best" };
    if (hi < sure) return { verdict: "worse", by: sure - hi };
    // Of moves that are equal, the first one stands for all.
    const isMatched = worths.some((other, j) => other.lo >= hi && (lo < other.hi || j < i));
    return { verdict: isMatched ? "as good" : "open" };
  });
}
