import type { Shape } from "@gridlock/game";
import type { Tabulation, ValueColumn } from "@gridlock/tablebase";
import type { Player } from "./player.js";

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
  /** The publication that describes it; none for reference players. */
  readonly source?: string;
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
