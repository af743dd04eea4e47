import {
  type Bound,
  canonical,
  type Game,
  normalShape,
  packBoard,
  slides,
  UNKNOWN,
  unpackBoard,
} from "@gridlock/game";
import type { Question } from "@gridlock/solver";
import { questionId } from "./messages.js";

/** What a slide's afterstate would have to be worth to answer the question about its position. */
export interface Subtree {
  readonly id: string;
  readonly question: Question;
  /** Points of the slide. */
  readonly score: number;
  /** What is proven of the afterstate. */
  bound: Bound;
}

/**
 * The subtrees of a question about a position, each that of a slide; none of one about an afterstate, or where the
 * points of a slide alone are enough.
 */
export function subtreesOf(game: Game, { turn, board, threshold }: Question): Subtree[] {
  if (turn === "placer") return [];
  const subtrees = new Map<string, Subtree>();
  for (const { board: slid, score } of slides(unpackBoard(normalShape(game.shape), board))) {
    const after = { turn: "placer", board: packBoard(canonical(slid)) } as const;
    const question = { ...after, threshold: threshold - score };
    if (question.threshold <= 0) return [];
    const id = questionId(game, question);
    subtrees.set(id, { id, question, score, bound: UNKNOWN });
  }
  return [...subtrees.values()];
}

/** The answer to a question that follows from its subtrees, if one does. */
export function settledBySubtrees(
  { threshold }: Question,
  subtrees: readonly Subtree[],
): Bound | undefined {
  if (subtrees.length === 0) return undefined;
  const lo = Math.max(...subtrees.map(({ bound, score }) => score + bound.lo));
  if (lo >= threshold) return { lo, hi: Number.POSITIVE_INFINITY };
  const hi = Math.max(...subtrees.map(({ bound, score }) => score + bound.hi));
  return hi < threshold ? { lo: 0, hi } : undefined;
}
