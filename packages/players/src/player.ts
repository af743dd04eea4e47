import type { Direction, Shape } from "@gridlock/game";
import type { Tabulation, ValueColumn } from "@gridlock/tablebase";

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

/** The parts of a player's name. */
export interface NameParts {
  /** The player's full name: `zaky-minimax:8:corner`. */
  readonly name: string;
  /** The name without depth and variants: `zaky-minimax`. */
  readonly base: string;
  /**
   * The depth of its search; that of {@link PlayerKind.depth} if the name has none, 0 for players
   * without depth.
   */
  readonly depth: number;
  readonly variants: ReadonlySet<string>;
  /** The file from which it is made, if the name has one. */
  readonly file?: string;
}

/** A player to make: the parts of its name, and its shape. */
export interface PlayerRequest extends NameParts {
  readonly shape: Shape;
  /**
   * Opens the tabulation of its game with one column; whoever asks for the player closes it.
   *
   * @throws {PlayerError} if the shape is too large to be tabulated, or is not tabulated
   */
  openTabulation(column: ValueColumn): Tabulation;
}

/**
 * A kind of player: its names, the options that can follow them after colons, and a function that
 * makes players.
 */
export interface PlayerKind {
  /** The names of its players, without depth and variants. */
  readonly names: readonly string[];
  /** One line for lists. */
  readonly summary: string;
  /** The depth of its search, for players that search: its unit, default and maximum. */
  readonly depth?: { readonly unit: string; readonly byDefault: number; readonly most: number };
  /** Descriptions of the variants, by name. */
  readonly variants?: Readonly<Record<string, string>>;
  /**
   * The contents of its file, for players made from one: `ntuple:FILE`. They have no depth and no
   * variants.
   */
  readonly file?: string;
  /**
   * @throws {PlayerError} if the player cannot play the shape, or if variants exclude each other
   */
  make(request: PlayerRequest): Player | Promise<Player>;
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
