import { formatTiles, type Game, normalShape } from "@gridlock/game";
import type Sqlite from "better-sqlite3";

/** The number of no row. */
const NO_ROW = -1;

/** The row of a game, which reading never creates: only a game with something stored has one. */
export class GameRow {
  readonly #sqlite: Sqlite.Database;
  readonly #columns: readonly [rows: number, cols: number, tiles: string];
  #id = NO_ROW;

  constructor(sqlite: Sqlite.Database, game: Game) {
    const { rows, cols } = normalShape(game.shape);
    this.#sqlite = sqlite;
    this.#columns = [rows, cols, formatTiles(game.tiles)];
  }

  /** The row's number; −1 while there is no row. */
  get id(): number {
    if (this.#id === NO_ROW) {
      const find = this.#sqlite
        .prepare<[number, number, string], number>(
          "SELECT id FROM game WHERE rows = ? AND cols = ? AND tiles = ?",
        )
        .pluck();
      this.#id = find.get(...this.#columns) ?? NO_ROW;
    }
    return this.#id;
  }

  /** True if there is a row. */
  get exists(): boolean {
    return this.id !== NO_ROW;
  }

  /**
   * Creates the row if it is missing. Do not call this within a transaction: the row's number is remembered, even if
   * the transaction is rolled back.
   */
  create(): void {
    if (this.exists) return;
    this.#sqlite
      .prepare("INSERT OR IGNORE INTO game (rows, cols, tiles) VALUES (?, ?, ?)")
      .run(...this.#columns);
  }
}
