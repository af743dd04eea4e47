import {
  type Bound,
  type BoundedMove,
  isExact,
  type Node,
  type Turn,
  type Verdict,
  verdictsOn,
} from "@gridlock/game";
import type { Literature, Published } from "@gridlock/schemas";
import type { Analysis, MoveAnalysis, Source } from "@gridlock/solver";

/** The source of a bound; with `verified`, a checked certificate. */
export type AnswerSource = Source | "certificate" | "published";

/** A node's value against the placer and, where its game is tabulated, against chance. */
export interface Worth extends Node {
  /** The points still to come against the placer. */
  readonly bound: Bound;
  /** The source of the bound. */
  readonly source: AnswerSource;
  /** The origin of the bound, and what confirms it, if it is a published one. */
  readonly provenance?: Published;
  /** A lower bound that somebody else has published and nothing here rests on. */
  readonly literature?: Literature;
  /** The reason why an unknown value was not searched: its game cannot be, or memory is missing. */
  readonly unsearched?: string;
  /** True if the game is tabulated, so that values against chance are known. */
  readonly tabulated: boolean;
  /** Points expected against chance; `undefined` when no play from a start leads to the board. */
  readonly expected: number | undefined;
}

/** A node's value, those of its moves, and a line of best play. */
export interface Answer extends Worth, Omit<Analysis, "source"> {
  readonly moves: readonly AnsweredMove[];
}

/** A move and what is known of it. */
export interface AnsweredMove extends MoveAnalysis {
  /** The verdict that the bounds of all moves give on this one. */
  readonly verdict: Verdict;
  /** Points expected against chance after the move, without its score. */
  readonly expected: number | undefined;
}

/** Returns whether a value is known without relying on published ones. It then never changes. */
export function isProven({ bound, source }: Worth): boolean {
  return isExact(bound) && source !== "published";
}

/** Adds the reason, if any, why a game cannot be searched to an answer without a known value. */
export function withReason<T extends Worth>(worth: T, unsearched: string | undefined): T {
  return unsearched === undefined || isExact(worth.bound) ? worth : { ...worth, unsearched };
}

/** Adds to each move of a board the verdict that the bounds of all moves give. */
export function withVerdicts<T extends BoundedMove>(
  turn: Turn,
  bound: Bound,
  moves: readonly T[],
): (T & { readonly verdict: Verdict })[] {
  const verdicts = verdictsOn(turn, bound, moves);
  return moves.map((move, i) => ({ ...move, verdict: verdicts[i] as Verdict }));
}

/**
 * Makes an answer of an analysis: adds the verdicts on the moves, and the expected scores.
 *
 * @param source the source of its bound, if it is not the analysis's own
 * @param expectedOf returns the points expected from a node against chance, if the game is
 *   tabulated
 */
export function answerOfAnalysis(
  analysis: Analysis,
  source: AnswerSource = analysis.source,
  expectedOf?: (node: Node) => number | undefined,
): Answer {
  const { turn, bound, moves } = analysis;
  return {
    ...analysis,
    source,
    tabulated: expectedOf !== undefined,
    expected: expectedOf?.(analysis),
    moves: withVerdicts(turn, bound, moves).map((move) => ({
      ...move,
      expected: expectedOf?.(move.to),
    })),
  };
}
