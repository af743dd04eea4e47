import type { Game, Node, Tiles } from "@gridlock/game";
import type { Database } from "@gridlock/store";

/** A board to be valued. */
export interface Query extends Node {
  readonly tiles: Tiles;
  /** Seconds to search for it at most. */
  readonly budget: number;
  /**
   * Seconds after which the search ends early if the board's value and the verdicts on all moves are known: moves that
   * are worse or as good may then have an interval, and the line may be missing. Default: all of the budget.
   */
  readonly enough?: number | undefined;
  /** True if a search may take all of the budget even if the board is published, which otherwise shortens it. */
  readonly wholeBudget?: boolean;
  /** Returns whether to stop the search before that; asked several times a second. */
  readonly isStopped?: () => boolean;
}

/** The settings for answering queries. */
export interface LibraryOptions {
  /** The file of the database; tabulations are those beside it. */
  readonly db: string;
  /** The database, where the caller has opened it and will close it. Default: the library opens `db`. */
  readonly database?: Database;
  /** Opens the database for reading, and saves nothing. Default: it is opened for writing if its file can be written. */
  readonly readOnly?: boolean;
  /**
   * Answers only from certificates, after `Library.verify` has checked them, the rules and its own search. The
   * bounds of the database and the files beside it are not used, and nothing is saved.
   */
  readonly verified?: boolean;
  /** False to leave out published values and the literature, which are otherwise used where they know more. */
  readonly published?: boolean;
  /** Returns the bytes of a table to search a game with; `undefined` if it is not to be searched. */
  tableBytes(game: Game): number | undefined;
  /** Bytes of each tabulation kept in memory; default: a quarter of what is available, up to 1 GiB. */
  readonly cacheBytes?: number;
  /** Receives a sentence about each file that cannot be used or written. */
  warn(sentence: string): void;
}
