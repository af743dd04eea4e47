/** The result of {@link LearningBoard.lookAhead} if no slide is legal. */
export const END = Number.NEGATIVE_INFINITY;

/** A board on which a network learns: a position, or the afterstate left by {@link slide}. */
export interface LearningBoard {
  /** Removes all tiles. */
  clear(): void;
  /** Counts the empty cells. */
  countEmpty(): number;
  /** Puts the tile of an exponent into an empty cell, counted from 0 in reading order. */
  place(nthEmpty: number, exponent: number): void;
  /**
   * Finds the slide with the largest sum of its points and the network's estimate of its
   * afterstate; of equal ones the first in the order of `DIRECTIONS`. Returns that sum, or
   * {@link END}.
   */
  lookAhead(): number;
  /** The points of the slide found by {@link lookAhead}. */
  readonly points: number;
  /** Makes that slide. */
  slide(): void;
  /**
   * Moves each weight of the afterstate of the last {@link slide} by `rate` times the difference of
   * `target` and its estimate.
   */
  learn(target: number, rate: number): void;
  /** Returns the largest exponent on the board. */
  largest(): number;
}
