import { closeSync, statSync } from "node:fs";
import { type Board, type Game, normalShape, packBoard, starts } from "@gridlock/game";
import { AskedThresholds } from "./asked.js";
import { BoundTable } from "./bounds.js";
import { DATABASE } from "./database-schema.js";
import { StoredEntries } from "./entries.js";
import { StoreError } from "./errors.js";
import { GameRow } from "./game-row.js";
import { expectPlain, openPlain, readBytes } from "./plain-file.js";
import { type GameColumns, gameOfColumns, RunLog } from "./runs.js";
import { type OpenOptions, SqliteFile } from "./sqlite-file.js";

/**
 * Checks that a file, as far as its header shows, is a solution database, has never been written,
 * or does not exist.
 *
 * @throws {StoreError} `not-a-database`, or `unusable` if it is no regular file or cannot be read
 */
export function expectDatabase(file: string): void {
  if (!expectPlain(file, DATABASE.links)) return;
  const head = Buffer.alloc(72);
  const descriptor = openPlain(file, "read");
  let bytes: number;
  try {
    bytes = readBytes(descriptor, head, 0);
  } finally {
    closeSync(descriptor);
  }
  // The mark is 0 while the transaction that creates the tables is only in a log.
  const isSqlite = head.toString("latin1", 0, 16) === "SQLite format 3\0";
  const isOurs = isSqlite && [0, DATABASE.applicationId].includes(head.readUInt32BE(68));
  if (bytes === 0 || isOurs) return;
  const reason = isSqlite ? "is another program's database" : "was not written by Gridlock";
  throw new StoreError("not-a-database", `${file} ${reason}; ${DATABASE.remedy}`);
}

/**
 * A solution database: the proven bounds and runs of any number of games, in one SQLite file. All
 * methods throw {@link StoreError}, whose message is for people, if the file cannot be used.
 */
export class Database extends SqliteFile {
  readonly runs = new RunLog(this);

  /** Opens the database in `file`; see {@link OpenOptions}. */
  static open(file: string, options: OpenOptions = {}): Database {
    return new Database(file, DATABASE, options);
  }

  /** Lists the games of which something was stored, by shape and tiles. */
  games(): Game[] {
    const find = "SELECT rows, cols, tiles FROM game ORDER BY rows * cols, rows, tiles DESC";
    return this.all<GameColumns>(find).map((columns) => gameOfColumns(columns, this));
  }

  /** Returns whether {@link games} lists a game. */
  has(game: Game): boolean {
    return new GameRow(this, game).exists;
  }

  /** Returns the proven bounds of a game's boards; the first merge enters it in the database. */
  bounds(game: Game): BoundTable {
    const normal = { ...game, shape: normalShape(game.shape) };
    return new BoundTable(this, new GameRow(this, game), normal);
  }

  /**
   * Returns the identity of the certificate of one game that held when it was checked: a text that
   * tells its file from every other one, and from itself after a change. A database that somebody
   * else made may have any text here, but not that of a file on this machine.
   */
  checkedCertificate(game: Game): string | undefined {
    const find = "SELECT identity FROM checked WHERE game = ?";
    return this.get<{ identity: string }>(find, new GameRow(this, game).id)?.identity;
  }

  /** Stores that a certificate was checked, and holds. */
  storeChecked(game: Game, identity: string): void {
    const row = new GameRow(this, game);
    row.create();
    this.run("INSERT OR REPLACE INTO checked VALUES (?, ?)", row.id, identity);
  }

  /** Returns the table entries that a solve of one game has kept. */
  entries(game: Game): StoredEntries {
    return new StoredEntries(this, new GameRow(this, game), game);
  }

  /** Returns the thresholds that searches for lower bounds of one game have asked. */
  asked(game: Game): AskedThresholds {
    return new AskedThresholds(this, new GameRow(this, game));
  }

  /**
   * Deletes everything proven about a game: its bounds and its table entries, and the cost of its
   * questions. The log of runs stays.
   */
  forget(game: Game): void {
    const { id } = new GameRow(this, game);
    this.atOnce(() => {
      for (const table of ["asked", "checked", "entries", "bound", "start"]) {
        this.run(`DELETE FROM ${table} WHERE game = ?`, id);
      }
    });
  }

  /** Stores the list of a game's starts. Storing it again changes nothing. */
  addStarts(game: Game, boards: readonly Board[]): void {
    const row = new GameRow(this, game);
    row.create();
    const insert = "INSERT OR IGNORE INTO start VALUES (?, ?, ?)";
    this.atOnce(() => {
      boards.forEach((board, i) => {
        this.run(insert, row.id, i + 1, BigInt.asIntN(64, packBoard(board)));
      });
    });
  }

  /**
   * Returns the starts of a game in the order of {@link addStarts}; an empty list if they were
   * never stored.
   *
   * @throws {StoreError} `damaged` if they are not the starts of the game.
   */
  starts(game: Game): Board[] {
    const listed = this.explained(() =>
      this.sqlite
        .prepare<[number], bigint>("SELECT board FROM start WHERE game = ? ORDER BY number")
        .safeIntegers()
        .pluck()
        .all(new GameRow(this, game).id),
    );
    if (listed.length === 0) return [];
    const boards = starts(game.shape);
    const packed = boards.map((board) => BigInt.asIntN(64, packBoard(board)));
    if (String(listed) !== String(packed))
      throw this.damaged("it holds boards that are not starts");
    return boards;
  }

  /** Returns a number that changes when another connection changes the database. */
  version(): number {
    return this.explained(() => this.sqlite.pragma("data_version", { simple: true }) as number);
  }

  /** Returns the size of the file in bytes, without its write-ahead log. */
  size(): number {
    return statSync(this.file, { throwIfNoEntry: false })?.size ?? 0;
  }
}
