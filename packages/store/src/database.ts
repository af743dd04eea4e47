import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import {
  type Board,
  formatTiles,
  type Game,
  normalShape,
  packBoard,
  parseTiles,
  type Tiles,
  unpackBoard,
} from "@gridlock/game";
import Sqlite from "better-sqlite3";
import { BoundTable } from "./bounds.js";
import { explained, StoreError } from "./errors.js";
import { RunLog } from "./runs.js";
import { ensureSchema } from "./schema.js";

/** How to open a database. */
export interface OpenOptions {
  /** Only read; the file must exist. Default: read and write, and make the file if it is missing. */
  readonly readOnly?: boolean;
  /** How long to wait for another process's lock, in milliseconds. Default: 5000. */
  readonly patience?: number;
}

/**
 * A solution database: what is proven of the boards of any number of games, in one SQLite file. All
 * methods throw {@link StoreError} with a sentence for people when the file cannot be used.
 */
export class Database {
  readonly runs: RunLog;
  readonly #sqlite: Sqlite.Database;
  readonly #gameIds = new Map<string, number>();

  private constructor(
    readonly file: string,
    readonly readOnly: boolean,
    sqlite: Sqlite.Database,
  ) {
    this.#sqlite = sqlite;
    this.runs = new RunLog(sqlite, file);
  }

  /** Opens the database in `file`; see {@link OpenOptions}. */
  static open(file: string, { readOnly = false, patience = 5000 }: OpenOptions = {}): Database {
    if (readOnly && !existsSync(file)) {
      throw new StoreError("missing", `there is no database ${file}; gridlock solve makes one`);
    }
    return explained(file, () => {
      if (!readOnly) makeFolder(file);
      const sqlite = openFile(file, { readonly: readOnly, timeout: patience });
      try {
        sqlite.defaultSafeIntegers(false);
        ensureSchema(sqlite, file, !readOnly);
        if (!readOnly) {
          useLog(sqlite, patience);
          sqlite.pragma("synchronous = NORMAL");
          sqlite.pragma("foreign_keys = ON");
        }
        return new Database(file, readOnly, sqlite);
      } catch (error) {
        sqlite.close();
        throw error;
      }
    });
  }

  /** The games that the database knows, by shape and tiles. */
  games(): Game[] {
    return explained(this.file, () =>
      this.#sqlite
        .prepare<[], { rows: number; cols: number; tiles: string }>(
          "SELECT rows, cols, tiles FROM game ORDER BY rows * cols, rows, tiles DESC",
        )
        .all()
        .map(({ rows, cols, tiles }) => ({ shape: { rows, cols }, tiles: parseTiles(tiles) })),
    );
  }

  /** The proven bounds of one game's boards. */
  bounds(game: Game): BoundTable {
    const id = explained(this.file, () => this.#gameId(game));
    return new BoundTable(this.#sqlite, this.file, id);
  }

  /** Lists the starts of a game; listing them again changes nothing. */
  addStarts(game: Game, starts: readonly Board[]): void {
    explained(this.file, () => {
      const id = this.#gameId(game);
      const insert = this.#sqlite.prepare("INSERT OR IGNORE INTO start VALUES (?, ?, ?)");
      this.#sqlite
        .transaction(() => {
          starts.forEach((board, i) => {
            insert.run(id, i + 1, BigInt.asIntN(64, packBoard(board)));
          });
        })
        .immediate();
    });
  }

  /** The starts of a game as they were listed; none if it was never begun. */
  starts(game: Game): Board[] {
    return explained(this.file, () =>
      this.#sqlite
        .prepare<[number], bigint>("SELECT board FROM start WHERE game = ? ORDER BY number")
        .safeIntegers()
        .pluck()
        .all(this.#gameId(game))
        .map((packed) => unpackBoard(normalShape(game.shape), BigInt.asUintN(64, packed))),
    );
  }

  /** Size of the file in bytes, with what is not yet checkpointed left out. */
  size(): number {
    return explained(
      this.file,
      () =>
        (this.#sqlite.pragma("page_count", { simple: true }) as number) *
        (this.#sqlite.pragma("page_size", { simple: true }) as number),
    );
  }

  /** The row number of a game, made if there is none; −1 in a database that is only read. */
  #gameId(game: Game): number {
    const { rows, cols } = normalShape(game.shape);
    const tiles = formatTiles(game.tiles satisfies Tiles);
    const name = `${rows}x${cols} ${tiles}`;
    let id = this.#gameIds.get(name);
    if (id !== undefined) return id;
    const find = this.#sqlite
      .prepare<[number, number, string], number>(
        "SELECT id FROM game WHERE rows = ? AND cols = ? AND tiles = ?",
      )
      .pluck();
    id = find.get(rows, cols, tiles);
    if (id === undefined) {
      if (this.readOnly) return -1;
      this.#sqlite
        .prepare("INSERT OR IGNORE INTO game (rows, cols, tiles) VALUES (?, ?, ?)")
        .run(rows, cols, tiles);
      id = find.get(rows, cols, tiles) as number;
    }
    this.#gameIds.set(name, id);
    return id;
  }

  /** Closes the file. The database cannot be used afterwards. */
  close(): void {
    if (!this.readOnly) this.#settle();
    this.#sqlite.close();
  }

  /**
   * Leaves the write-ahead log behind, so that the file at rest is all there is and may be read from
   * where nothing can be written. Not possible while others have it open; the last one does it.
   */
  #settle(): void {
    try {
      this.#sqlite.pragma("busy_timeout = 0");
      this.#sqlite.pragma("journal_mode = DELETE");
    } catch {
      // Another process has the file open, or it cannot be written now: the log stays, and is valid.
    }
  }
}

/**
 * Switches to the write-ahead log, in which readers and the writer do not wait for each other. Where
 * others have the file open without it that cannot be done; all works all the same, with more waiting.
 */
function useLog(sqlite: Sqlite.Database, patience: number): void {
  sqlite.pragma("busy_timeout = 0");
  try {
    sqlite.pragma("journal_mode = WAL");
  } catch (error) {
    const code = error instanceof Sqlite.SqliteError ? error.code : "";
    if (!code.startsWith("SQLITE_BUSY")) throw error;
  }
  sqlite.pragma(`busy_timeout = ${patience}`);
}

function makeFolder(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
  } catch (error) {
    throw new StoreError(
      "unusable",
      `the folder of ${file} cannot be made (${(error as Error).message})`,
      { cause: error },
    );
  }
}

function openFile(file: string, options: Sqlite.Options): Sqlite.Database {
  try {
    return new Sqlite(file, options);
  } catch (error) {
    if (error instanceof Sqlite.SqliteError) {
      throw new StoreError(
        "unusable",
        `${file} cannot be opened; expected a file that may be read${options.readonly ? "" : " and written"} (${error.message})`,
        { cause: error },
      );
    }
    throw error;
  }
}
