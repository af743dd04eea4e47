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

/** A part of a question: the same question about the afterstate of one slide, its threshold less the slide's points. */
export interface Part {
  readonly id: string;
  readonly question: Question;
  /** Points of the slide. */
  readonly score: number;
  /** The afterstate's proven bound. */
  bound: Bound;
}

/**
 * Returns the parts of a question about a position, one for each slide. There are no parts for a question
 * about an afterstate, or if the points of a single slide answer the question.
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
