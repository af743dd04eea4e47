import type { Bound, PackedNode } from "@gridlock/game";
import type { NodeCounts } from "@gridlock/kernel";

/** A threshold question: is h ≥ threshold (points)? The board is canonical. */
export interface Question extends PackedNode {
  readonly threshold: number;
}

/**
 * Where jobs run. A port answers questions with bounds; how many machines and threads stand behind
 * it, and in which order they work, changes the time and never the truth.
 */
export interface JobPort {
  /** How many questions it works on at once. */
  readonly slots: number;
  /**
   * Answers a question with a proven bound: `lo ≥ threshold`, or `hi < threshold`. `undefined` when
   * it was stopped before it had an answer.
   */
  ask(question: Question): Promise<Bound | undefined>;
  /** Makes every question under way, and any asked later, come back without an answer. */
  stop(): void;
  /** Nodes expanded so far. */
  counts(): NodeCounts;
}
