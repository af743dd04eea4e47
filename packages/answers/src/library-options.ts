import type { Game, Node, Tiles } from "@gridlock/game";
import type { Database } from "@gridlock/store";

/** A board to be valued. */
export interface Query extends Node {
  readonly tiles: Tiles;
  /** Seconds to search for it at most. */
  readonly budget: number;
  /**
   * Seconds after which the search ends early if the board's value and the verdicts on all moves
   * are known: moves that are worse or as good may then have an interval, and the line may be
   * missing. Default: all of the budget.
   */
  readonly enough?: number | undefined;
  /** True to allow the whole budget for published boards, whose searches are otherwise shorter. */
  readonly wholeBudget?: boolean;
  /** Returns whether to stop the search before that; asked several times a second. */
  readonly isStopped?: () => boolean;
}

/** The settings for answering queries. */
export interface LibraryOptions {
  /** The file of the database; tabulations are those beside it. */
  readonly db: string;
  /** A database that the caller has opened and will close. Default: the library opens `db`. */
  readonly database?: Database;
  /** True to only read the database and save nothing. Default: false if its file can be written. */
  readonly readOnly?: boolean;
  /**
   * Answers only from certificates, after `Library.verify` has checked them, the rules and its own
   * search. The bounds of the database and the files beside it are not used, and nothing is saved.
   */
  readonly verified?: boolean;
  /** False to ignore published values and the literature. Default: used where they know more. */
  readonly published?: boolean;
  /** Returns the bytes of a table for searching a game; `undefined` if it is not to be searched. */
  tableBytes(game: Game): number | undefined;
  /** Bytes of each tabulation in memory; default: a quarter of what is available, up to 1 GiB. */
  readonly cacheBytes?: number;
  /** Receives a sentence about each file that cannot be used or written. */
  warn(sentence: string): void;
}
