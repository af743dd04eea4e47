import type { Shape, Tiles } from "@gridlock/game";
import type { Player } from "./player.js";

/** A player to make: the parts of its name, its shape, and the place of its files. */
export interface PlayerRequest {
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
  readonly shape: Shape;
  /** The tiles of the placer that it plays against. */
  readonly tiles: Tiles;
  /** The solution database, beside which tabulations and other files lie. */
  readonly db: string;
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
