import {
  type Bound,
  boundByRules,
  formatBoard,
  type Game,
  mergeBounds,
  type Node,
  type PackedNode,
  packedFromHalves,
  packNode,
  unpackBoard,
} from "@gridlock/game";
import type Sqlite from "better-sqlite3";
import { type BoundColumns, boundChecksum, signedHalves } from "./checksum.js";
import { StoreError } from "./errors.js";
import type { GameRow } from "./game-row.js";
import type { SqliteFile } from "./sqlite-file.js";

/** Rows per page of a long read. */
const PAGE_ROWS = 10_000;

/** A canonical board and its bound. */
export interface BoundEntry extends PackedNode, Bound {}

/** A row of `bound` without its game. */
type Row = [...BoundColumns, checksum: number];

/** The proven bounds of one game, in points, by canonical board. */
export class BoundTable {
  readonly #at: SqliteFile;
  readonly #row: GameRow;
  readonly #game: Game;
  readonly #get: Sqlite.Statement<[number, number, bigint], Row>;

  /**
   * Use `Database.bounds` instead.
   *
   * @param game in normal shape
   */
  constructor(at: SqliteFile, row: GameRow, game: Game) {
    this.#at = at;
    this.#row = row;
    this.#game = game;
    this.#get = at.sqlite
      .prepare<[number, number, bigint], Row>(
        `SELECT turn, board >> 32, board & 0xffffffff, lo, hi, checksum FROM bound
         WHERE game = ? AND turn = ? AND board = ?`,
      )
      .raw();
  }

  /**
   * Returns the proven bound of a board, or `undefined`.
   *
   * @throws {StoreError} `damaged` if the stored row does not match its checksum.
   */
  get({ turn, board }: PackedNode): Bound | undefined {
    return this.#at.explained(() => {
      const row = this.#get.get(this.#row.id, turnNumber(turn), BigInt.asIntN(64, board));
      if (row === undefined) return undefined;
      const { lo, hi } = this.#entryOf(row);
      return { lo, hi };
    });
  }

  /**
   * Returns the bound of a node with a canonical board, from the database or else from the rules.
   */
  of(node: Node): Bound {
    return this.get(packNode(node)) ?? boundByRules(node);
  }

  /**
   * Merges bounds into the database in one transaction. Each board keeps the larger `lo` and the
   * smaller `hi`, so merging twice, or in any order, gives the same bounds.
   *
   * @throws {StoreError} `contradiction` if no value satisfies both the stored bound and the new
   *   one; `replaced` if the file was removed or replaced, so that nothing is saved
   */
  merge(entries: readonly BoundEntry[]): void {
    if (entries.length === 0) return;
    // Writing rows in key order is several times as fast.
    const sorted = [...entries].sort(
      (a, b) => turnNumber(a.turn) - turnNumber(b.turn) || compare(a.board, b.board),
    );
    this.#row.create();
    this.#at.atOnce(() => {
      const put = this.#at.sqlite.prepare("INSERT OR REPLACE INTO bound VALUES (?, ?, ?, ?, ?, ?)");
      for (const entry of sorted) this.#mergeOne(entry, put);
    });
  }

  #mergeOne(entry: BoundEntry, put: Sqlite.Statement): void {
    const known = this.get(entry);
    const { lo, hi } = known ? mergeBounds(known, entry) : entry;
    if (lo === known?.lo && hi === known.hi) return;
    if (lo > hi) {
      throw new StoreError(
        "contradiction",
        `the new bound ${entry.lo} … ${entry.hi} of ${this.#describe(entry)} contradicts ${known ? `${known.lo} … ${known.hi} in ${this.#at.file}` : "itself"}; nothing was changed. One of them is false: restore a copy of the database, or solve again with --fresh`,
      );
    }
    const turn = turnNumber(entry.turn);
    const { shape, tiles } = this.#game;
    const sum = boundChecksum(shape, tiles, [turn, ...signedHalves(entry.board), lo, hi]);
    put.run(this.#row.id, turn, BigInt.asIntN(64, entry.board), lo, hi, sum);
  }

  /** Counts the boards that have a bound, and those whose value is known. */
  count(): { bounds: number; exact: number } {
    return this.#at.get(
      "SELECT count(*) AS bounds, ifnull(sum(lo = hi), 0) AS exact FROM bound WHERE game = ?",
      this.#row.id,
    ) as { bounds: number; exact: number };
  }

  /** Reads all bounds, ordered by turn and board; throws like {@link get}. */
  *all(): Generator<BoundEntry> {
    // Reading pages is faster than reading row by row.
    const page = this.#at.explained(() =>
      this.#at.sqlite
        .prepare<[number, number, bigint, number], Row>(
          `SELECT turn, board >> 32, board & 0xffffffff, lo, hi, checksum FROM bound
           WHERE game = ? AND (turn, board) > (?, ?) ORDER BY turn, board LIMIT ?`,
        )
        .raw(),
    );
    let turn = -1;
    let board = 0n;
    for (;;) {
      const rows = this.#at.explained(() =>
        page.all(this.#row.id, turn, BigInt.asIntN(64, board), PAGE_ROWS),
      );
      for (const row of rows) {
        const entry = this.#entryOf(row);
        turn = row[0];
        board = entry.board;
        yield entry;
      }
      if (rows.length < PAGE_ROWS) return;
    }
  }

  /** Decodes a row after checking its checksum. */
  #entryOf(row: Row): BoundEntry {
    const [turn, high, low, lo, hi, sum] = row;
    const entry: BoundEntry = {
      turn: turn === 0 ? "slider" : "placer",
      board: packedFromHalves(high, low),
      lo,
      hi,
    };
    const { shape, tiles } = this.#game;
    const expected = boundChecksum(shape, tiles, [turn, high, low, lo, hi]);
    if (expected < 0 || sum !== expected) {
      throw this.#at.damaged(`its bound of ${this.#describe(entry)} does not match its checksum`);
    }
    return entry;
  }

  #describe({ turn, board }: PackedNode): string {
    return formatBoard(unpackBoard(this.#game.shape, board), turn);
  }
}

function turnNumber(turn: Node["turn"]): number {
  return turn === "slider" ? 0 : 1;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
