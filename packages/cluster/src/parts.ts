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

/** A part of a question: what the afterstate of one slide would have to be worth to answer it. */
export interface Part {
  readonly id: string;
  readonly question: Question;
  /** Points of the slide. */
  readonly score: number;
  /** What is proven of the afterstate. */
  bound: Bound;
}

/**
 * Returns the parts of a question about a position, one for each slide. A question about an afterstate has no parts,
 * nor has one that the points of a single slide answer.
 */
export function partsOf(game: Game, { turn, board, threshold }: Question): Part[] {
  if (turn === "placer") return [];
  const parts = new Map<string, Part>();
  for (const { board: slid, score } of slides(unpackBoard(normalShape(game.shape), board))) {
    const after = { turn: "placer", board: packBoard(canonical(slid)) } as const;
    const question = { ...after, threshold: threshold - score };
    if (question.threshold <= 0) return [];
    const id = questionId(game, question);
    parts.set(id, { id, question, score, bound: UNKNOWN });
  }
  return [...parts.values()];
}

/** Returns the answer to a question that follows from all of its parts, if one does. */
export function settledByParts({ threshold }: Question, parts: readonly Part[]): Bound | undefined {
  if (parts.length === 0) return undefined;
  const lo = Math.max(...parts.map(({ bound, score }) => score + bound.lo));
  if (lo >= threshold) return { lo, hi: Number.POSITIVE_INFINITY };
  const hi = Math.max(...parts.map(({ bound, score }) => score + bound.hi));
  return hi < threshold ? { lo: 0, hi } : undefined;
}
