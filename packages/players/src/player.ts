import type { Direction } from "@gridlock/game";

/**
 * Cells of a board as exponents, row by row: 0 for an empty cell, otherwise the base-2 logarithm of
 * its tile. Players look at millions of boards; this is the form that they all share.
 */
export type Cells = Uint8Array;

/** A slide that a player may choose, with its probability. */
export interface Choice {
  readonly direction: Direction;
  /** More than 0; those of a position's choices sum to 1. */
  readonly probability: number;
}

/**
 * A player of the slider's side on one shape: a function from positions to the slides that it may
 * choose. Its choice depends on the position alone. Ties that its source breaks at random are
 * choices of equal probability; ties that its source breaks by order are broken so.
 */
export interface Player {
  /** The name by which commands call it, variants included: `emr`, `zaky-minimax:8`. */
  readonly name: string;
  /**
   * Whether its choices for a board's image under a symmetry are the images of its choices, so that
   * canonical boards speak for all images.
   */
  readonly isSymmetric: boolean;
  /**
   * Returns what it may choose in a position that has a legal slide; legal slides only. The cells
   * are the caller's: they are neither changed nor kept.
   */
  choose(cells: Cells): readonly Choice[];
}

/** Players that judge positions alike, so that they need not all be asked about every one. */
export interface PlayerGroup {
  /** Returns a whole number; where it is the same, each player of the group chooses the same slides. */
  signature(cells: Cells): number;
}

/** A player of a group. */
export interface GroupedPlayer extends Player {
  readonly group: PlayerGroup;
}
