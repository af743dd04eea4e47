import { formatTiles, type Game, normalShape } from "@gridlock/game";
import type { SqliteFile } from "./sqlite-file.js";

/** The number of no row. */
const NO_ROW = -1;

/** The row of a game, which reading never creates: only a game with something stored has one. */
export class GameRow {
  readonly #at: SqliteFile;
  readonly #columns: readonly [rows: number, cols: number, tiles: string];
  #id = NO_ROW;

  constructor(at: SqliteFile, game: Game) {
    const { rows, cols } = normalShape(game.shape);
    this.#at = at;
    this.#columns = [rows, cols, formatTiles(game.tiles)];
  }

  /** The row's number; −1 while there is no row. */
  get id(): number {
    if (this.#id === NO_ROW) {
      const find = "SELECT id FROM game WHERE rows = ? AND cols = ? AND tiles = ?";
      this.#id = this.#at.get<{ id: number }>(find, ...this.#columns)?.id ?? NO_ROW;
    }
    return this.#id;
  }

  /** True if there is a row. */
  get exists(): boolean {
    return this.id !== NO_ROW;
  }

  /**
   * Creates the row if it is missing. Do not call this within a transaction: the row's number is
   * remembered, even if the transaction is rolled back.
   */
  create(): void {
    if (this.exists) return;
    const insert = "INSERT OR IGNORE INTO game (rows, cols, tiles) VALUES (?, ?, ?)";
    this.#at.run(insert, ...this.#columns);
  }
}
