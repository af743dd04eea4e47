import { type Bound, boundByRules, type Node, packBoard } from "@gridlock/game";
import type Sqlite from "better-sqlite3";
import { explained } from "./errors.js";

/** Rows that are read at once. */
const PAGE_ROWS = 10_000;

/** A canonical board as its packed number, and who is to move. */
export interface BoundKey {
  readonly turn: Node["turn"];
  readonly board: bigint;
}

/** A bound and the board it is of. */
export interface BoundEntry extends BoundKey, Bound {}

/** The key of a node, whose board must be canonical. */
export function keyOf(node: Node): BoundKey {
  return { turn: node.turn, board: packBoard(node.board) };
}

/** The proven bounds of one game's boards, in points, by canonical board. */
export class BoundTable {
  readonly #sqlite: Sqlite.Database;
  readonly #file: string;
  readonly #game: number;
  readonly #get: Sqlite.Statement<[number, number, bigint], Bound>;

  /** Made by `Database.bounds`. */
  constructor(sqlite: Sqlite.Database, file: string, game: number) {
    this.#sqlite = sqlite;
    this.#file = file;
    this.#game = game;
    this.#get = sqlite.prepare(
      "SELECT lo, hi FROM bound WHERE game = ? AND turn = ? AND board = ?",
    );
  }

  /** What is proven of a board, if anything. */
  get(key: BoundKey): Bound | undefined {
    return explained(this.#file, () =>
      this.#get.get(this.#game, turnNumber(key.turn), BigInt.asIntN(64, key.board)),
    );
  }

  /** What is proven of a node with a canonical board: by the database, or by the rules alone. */
  of(node: Node): Bound {
    return this.get(keyOf(node)) ?? boundByRules(node);
  }

  /**
   * Merges bounds into the database, all of them or, on an error, none: the larger `lo` and the
   * smaller `hi` of each board are kept, so that doing it twice, or in any order, is the same.
   */
  merge(entries: readonly BoundEntry[]): void {
    if (entries.length === 0) return;
    // Rows in the order of their key are written several times as fast.
    const sorted = [...entries].sort(
      (a, b) => turnNumber(a.turn) - turnNumber(b.turn) || compare(a.board, b.board),
    );
    explained(this.#file, () => {
      const upsert = this.#sqlite.prepare(
        `INSERT INTO bound (game, turn, board, lo, hi) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET lo = max(lo, excluded.lo), hi = min(hi, excluded.hi)
         WHERE excluded.lo > lo OR excluded.hi < hi`,
      );
      this.#sqlite
        .transaction(() => {
          for (const { turn, board, lo, hi } of sorted) {
            upsert.run(this.#game, turnNumber(turn), BigInt.asIntN(64, board), lo, hi);
          }
        })
        .immediate();
    });
  }

  /** How many boards have a bound, and of how many the value is known. */
  count(): { bounds: number; exact: number } {
    return explained(
      this.#file,
      () =>
        this.#sqlite
          .prepare(
            "SELECT count(*) AS bounds, ifnull(sum(lo = hi), 0) AS exact FROM bound WHERE game = ?",
          )
          .get(this.#game) as { bounds: number; exact: number },
    );
  }

  /** All bounds, by turn and board. */
  *all(): Generator<BoundEntry> {
    // A page at a time is faster than row by row; so are plain numbers, a board as two, than bigints.
    const page = explained(this.#file, () =>
      this.#sqlite
        .prepare<[number, number, bigint, number], [number, number, number, number, number]>(
          `SELECT turn, board >> 26, board & 0x3ffffff, lo, hi FROM bound
           WHERE game = ? AND (turn, board) > (?, ?) ORDER BY turn, board LIMIT ?`,
        )
        .raw(),
    );
    let turn = -1;
    let board = 0n;
    for (;;) {
      const rows = explained(this.#file, () => page.all(this.#game, turn, board, PAGE_ROWS));
      for (const [turnOf, high, low, lo, hi] of rows) {
        turn = turnOf;
        const small = high >= 0 && high < 2 ** 27;
        board = small ? BigInt(high * 2 ** 26 + low) : (BigInt(high) << 26n) | BigInt(low);
        yield {
          turn: turn === 0 ? "slider" : "placer",
          board: small ? board : BigInt.asUintN(64, board),
          lo,
          hi,
        };
      }
      if (rows.length < PAGE_ROWS) return;
    }
  }
}

function turnNumber(turn: Node["turn"]): number {
  return turn === "slider" ? 0 : 1;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
