import { type PackedBoard, packedFromHalves } from "@gridlock/game";
import type Sqlite from "better-sqlite3";
import { DATABASE } from "./database-schema.js";
import { explained } from "./errors.js";
import { damaged } from "./runs.js";

/** Rows that are read at once. */
const PAGE_ROWS = 10_000;
/** Rows that are written at once, while others have to wait: for a tenth of a second or so. */
const WRITTEN_ROWS = 50_000;

/** A claim about a position: a canonical packed board, `lo ≤ h ≤ hi` in points; no `lo` is 0, no `hi` Infinity. */
export interface StoredClaim {
  readonly board: PackedBoard;
  readonly lo: number;
  readonly hi: number;
}

/** What is said of a certificate besides its claims. */
export interface CertificateInfo {
  /** Positions that a search may expand to show a claim. */
  readonly effort: number;
  /** When it was made, ISO 8601, UTC. */
  readonly made: string;
  /** What making it took. */
  readonly seconds: number;
}

/** The certificate of one game; see `docs/certificate.md`. Nothing here has been checked. */
export class StoredCertificate {
  readonly #sqlite: Sqlite.Database;
  readonly #file: string;
  readonly #game: number;

  /** Made by `Database.certificate`. */
  constructor(sqlite: Sqlite.Database, file: string, game: number) {
    this.#sqlite = sqlite;
    this.#file = file;
    this.#game = game;
  }

  /** What is said of it, if there is one that was made to its end. */
  info(): CertificateInfo | undefined {
    const info = this.#explained(
      () =>
        this.#sqlite
          .prepare("SELECT effort, made, seconds FROM certificate WHERE game = ?")
          .get(this.#game) as CertificateInfo | undefined,
    );
    if (info === undefined || typeof info.made === "string") return info;
    throw damaged(this.#file, "a certificate that was made at no time");
  }

  /** How many claims there are. */
  count(): number {
    return this.#explained(
      () =>
        this.#sqlite
          .prepare("SELECT count(*) FROM claim WHERE game = ?")
          .pluck()
          .get(this.#game) as number,
    );
  }

  /** All claims by ascending packed board. */
  *claims(): Generator<StoredClaim> {
    // SQLite's numbers have a sign: boards with the highest bit set come first there, and last here.
    yield* this.#range(0n, 2n ** 63n - 1n);
    yield* this.#range(-(2n ** 63n), -1n);
  }

  *#range(first: bigint, last: bigint): Generator<StoredClaim> {
    type Row = [high: number, low: number, lo: number, hi: number | null];
    const page = this.#explained(() =>
      this.#sqlite
        .prepare<[number, bigint, bigint, number], Row>(
          `SELECT board >> 32, board & 0xffffffff, lo, hi FROM claim
           WHERE game = ? AND board >= ? AND board <= ? ORDER BY board LIMIT ?`,
        )
        .raw(),
    );
    for (let from = first; from <= last; ) {
      const rows = this.#explained(() => page.all(this.#game, from, last, PAGE_ROWS));
      for (const [high, low, lo, hi] of rows) {
        const board = packedFromHalves(high, low);
        from = BigInt.asIntN(64, board) + 1n;
        yield { board, lo, hi: hi ?? Number.POSITIVE_INFINITY };
      }
      if (rows.length < PAGE_ROWS) return;
    }
  }

  /**
   * Puts a certificate in the place of what there is. Its claims are written some at a time, so that others who
   * write to the database need not wait; until the last is written there is no certificate.
   */
  replace(
    { effort, seconds }: Omit<CertificateInfo, "made">,
    claims: readonly StoredClaim[],
  ): void {
    this.clear();
    // Rows in the order of their key are written several times as fast.
    const sorted = [...claims].sort((a, b) => (a.board < b.board ? -1 : 1));
    this.#explained(() => {
      const insert = this.#sqlite.prepare("INSERT INTO claim VALUES (?, ?, ?, ?)");
      const write = this.#sqlite.transaction((part: readonly StoredClaim[]) => {
        for (const { board, lo, hi } of part) {
          const upper = Number.isFinite(hi) ? hi : null;
          insert.run(this.#game, BigInt.asIntN(64, board), lo, upper);
        }
      });
      for (let from = 0; from < sorted.length; from += WRITTEN_ROWS) {
        write.immediate(sorted.slice(from, from + WRITTEN_ROWS));
      }
      this.#sqlite
        .prepare("INSERT INTO certificate VALUES (?, ?, ?, ?)")
        .run(this.#game, effort, new Date().toISOString(), seconds);
    });
  }

  /** Forgets the certificate. */
  clear(): void {
    this.#explained(() => {
      this.#sqlite.prepare("DELETE FROM certificate WHERE game = ?").run(this.#game);
      const remove = this.#sqlite.prepare(
        `DELETE FROM claim WHERE game = ? AND board IN
           (SELECT board FROM claim WHERE game = ? LIMIT ${WRITTEN_ROWS})`,
      );
      while (remove.run(this.#game, this.#game).changes > 0);
    });
  }

  #explained<T>(action: () => T): T {
    return explained(this.#file, DATABASE.remedy, action);
  }
}
