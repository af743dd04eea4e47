import { type Bound, type BoundedMove, type Turn, type Verdict, verdictsOn } from "@gridlock/game";

/** Adds to each move of a board the verdict that the bounds of all moves give. */
export function withVerdicts<T extends BoundedMove>(
  turn: Turn,
  bound: Bound,
  moves: readonly T[],
): (T & { readonly verdict: Verdict })[] {
  const verdicts = verdictsOn(turn, bound, moves);
  return moves.map((move, i) => ({ ...move, verdict: verdicts[i] as Verdict }));
}
