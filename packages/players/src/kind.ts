import type { Shape, Tiles } from "@gridlock/game";
import type { Player } from "./player.js";

/** A player to make: its name taken apart, its shape, and where its files lie. */
export interface PlayerRequest {
  /** The full name that the player is to bear: `zaky-minimax:8:corner`. */
  readonly name: string;
  /** The name without depth and variants: `zaky-minimax`. */
  readonly base: string;
  /** The depth of its search; that of {@link PlayerKind.depth} if the name has none, 0 for players without depth. */
  readonly depth: number;
  readonly variants: ReadonlySet<string>;
  /** The file that it is made from, if the name has one. */
  readonly file?: string;
  readonly shape: Shape;
  /** The tiles of the placer that it plays against. */
  readonly tiles: Tiles;
  /** The solution database, beside which tabulations and other files lie. */
  readonly db: string;
}

/** A kind of player: its names, what can follow them after colons, and how its players are made. */
export interface PlayerKind {
  /** The names of its players, without depth and variants. */
  readonly names: readonly string[];
  /** The publication that describes it; none for reference players. */
  readonly source?: string;
  /** One line for lists. */
  readonly summary: string;
  /** The depth of its search, for players that search: what it counts, its default and its maximum. */
  readonly depth?: { readonly unit: string; readonly byDefault: number; readonly most: number };
  /** What each variant does differently, by name. */
  readonly variants?: Readonly<Record<string, string>>;
  /** What its file holds, for players that are made from one: `ntuple:FILE`. They have no depth and no variants. */
  readonly file?: string;
  /** @throws {PlayerError} if the player cannot play the shape, or if variants exclude each other */
  make(request: PlayerRequest): Player | Promise<Player>;
}
