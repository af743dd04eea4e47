import type { Bound, Node } from "@gridlock/game";
import type { Analysis, MoveAnalysis } from "@gridlock/solver";

/** A node's value against the placer and, where its game is tabulated, against chance. */
export interface Worth extends Node {
  /** The points still to come against the placer. */
  readonly bound: Bound;
  /** True if the game is tabulated, so that values against chance are known. */
  readonly tabulated: boolean;
  /** Points expected against chance; `undefined` when no play from a start leads to the board. */
  readonly expected: number | undefined;
}

/** A node's value, those of its moves, and a line of best play. */
export interface Answer extends Worth, Analysis {
  readonly moves: readonly AnsweredMove[];
}

/** A move and what is known of it. */
export interface AnsweredMove extends MoveAnalysis {
  /** Points expected against chance after the move, without its score. */
  readonly expected: number | undefined;
}
