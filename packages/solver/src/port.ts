import type { Bound, PackedNode } from "@gridlock/game";
import type { NodeCounts } from "@gridlock/kernel";

/** A threshold question: is h ≥ threshold (points)? The board is canonical. */
export interface Question extends PackedNode {
  readonly threshold: number;
}

/**
 * Answers questions with bounds, one at a time. The machines and threads behind a port, and the
 * order in which they work, affect only the time that an answer takes, never its truth.
 */
export interface JobPort {
  /**
   * Answers a question with a proven bound: `lo ≥ threshold`, or `hi < threshold`. Returns
   * `undefined` if the search was stopped before it had an answer.
   *
   * @param limits a signal that stops this question alone; a port may go on all the same
   * @throws {Error} if the port can no longer search, such as after a failure of a thread (rejects)
   */
  ask(question: Question, limits?: { readonly signal?: AbortSignal }): Promise<Bound | undefined>;
  /** Stops all questions under way, and all later ones, without an answer. */
  stop(): void;
  /** Nodes expanded so far. */
  counts(): NodeCounts;
  /** The question under way; `undefined` between two questions. */
  readonly question: Question | undefined;
}

/** Returns whether a bound answers whether a board is worth a threshold. */
export function answers({ lo, hi }: Bound, threshold: number): boolean {
  return lo >= threshold || hi < threshold;
}
