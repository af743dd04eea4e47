import type { Direction } from "@gridlock/game";

/**
 * Cells of a board as exponents, row by row: 0 for an empty cell, otherwise the base-2 logarithm of
 * its tile. Players look at millions of boards, and all use this form.
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
 * choose. Its choice depends only on the position. Ties that its source breaks at random are
 * choices of equal probability; ties that its source breaks by order are broken in that order.
 */
export interface Player {
  /** Its name in commands, including variants: `emr`, `zaky-minimax:8`. */
  readonly name: string;
  /**
   * True if its choices for a board's image under a symmetry are the images of its choices, so that
   * canonical boards can stand for all images.
   */
  readonly isSymmetric: boolean;
  /**
   * Returns its choices, all legal, in a position that has a legal slide. It neither changes nor
   * keeps the caller's cells.
   */
  choose(cells: Cells): readonly Choice[];
}

/** Players with common criteria, so that one question about a position serves several of them. */
export interface PlayerGroup {
  /**
   * Returns a whole number. In positions with the same number, each player chooses the same slides.
   */
  signature(cells: Cells): number;
}

/** A player of a group. */
export interface GroupedPlayer extends Player {
  readonly group: PlayerGroup;
}

/**
 * An error, in a sentence, about a player or placer that is unknown, cannot play the shape, or
 * breaks the rules.
 */
export class PlayerError extends Error {
  override readonly name = "PlayerError";
}

/** An error about a name that no player has. */
export class UnknownPlayerError extends PlayerError {}
