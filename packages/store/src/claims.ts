import { type Bound, type PackedBoard, packedFromHalves } from "@gridlock/game";
import type { GameRow } from "./game-row.js";
import { isTime } from "./runs.js";
import type { SqliteFile } from "./sqlite-file.js";

/** Rows per page of a long read. */
const PAGE_ROWS = 10_000;
/** Rows written in one transaction. Other writers wait for it, about a tenth of a second. */
const WRITTEN_ROWS = 50_000;

/**
 * A claim about a canonical position, in points: `lo ≤ h ≤ hi`. A `lo` of 0 or a `hi` of Infinity
 * claims nothing.
 */
export interface StoredClaim extends Bound {
  readonly board: PackedBoard;
}

/** The properties of a certificate besides its claims. */
export interface CertificateInfo {
  /** The most positions that a search may expand to prove one claim. */
  readonly effort: number;
  /** Time of completion, ISO 8601, UTC. */
  readonly made: string;
  /** The time it took to make. */
  readonly seconds: number;
}

/** The stored certificate of one game, unchecked; see `docs/certificate.md`. */
export class StoredCertificate {
  readonly #at: SqliteFile;
  readonly #row: GameRow;

  /** Use `Database.certificate` instead. */
  constructor(at: SqliteFile, row: GameRow) {
    this.#at = at;
    this.#row = row;
  }

  /** Returns the certificate's properties, or `undefined` if none was completed. */
  info(): CertificateInfo | undefined {
    const find = "SELECT effort, made, seconds FROM certificate WHERE game = ?";
    const info = this.#at.get<CertificateInfo>(find, this.#row.id);
    if (info === undefined || isTime(info.made)) return info;
    throw this.#at.damaged("it holds a certificate with no creation date");
  }

  /** Counts the claims. */
  count(): number {
    const find = "SELECT count(*) AS count FROM claim WHERE game = ?";
    return (this.#at.get(find, this.#row.id) as { count: number }).count;
  }

  /** Reads all claims by ascending packed board. */
  *claims(): Generator<StoredClaim> {
    // SQLite's integers are signed, so it sorts boards with the highest bit first; they belong
    // last.
    yield* this.#range(0n, 2n ** 63n - 1n);
    yield* this.#range(-(2n ** 63n), -1n);
  }

  *#range(first: bigint, last: bigint): Generator<StoredClaim> {
    type Row = [high: number, low: number, lo: number, hi: number | null];
    const page = this.#at.explained(() =>
      this.#at.sqlite
        .prepare<[number, bigint, bigint, number], Row>(
          `SELECT board >> 32, board & 0xffffffff, lo, hi FROM claim
           WHERE game = ? AND board >= ? AND board <= ? ORDER BY board LIMIT ?`,
        )
        .raw(),
    );
    for (let from = first; from <= last; ) {
      const rows = this.#at.explained(() => page.all(this.#row.id, from, last, PAGE_ROWS));
      for (const [high, low, lo, hi] of rows) {
        const board = packedFromHalves(high, low);
        from = BigInt.asIntN(64, board) + 1n;
        yield { board, lo, hi: hi ?? Number.POSITIVE_INFINITY };
      }
      if (rows.length < PAGE_ROWS) return;
    }
  }

  /**
   * Replaces the certificate. It writes the claims in several transactions, so that other writers
   * need not wait for all of them; until the last claim is written, there is no certificate.
   */
  replace(
    { effort, seconds }: Omit<CertificateInfo, "made">,
    claims: readonly StoredClaim[],
  ): void {
    this.clear();
    // Writing rows in key order is several times as fast.
    const sorted = [...claims].sort((a, b) => (a.board < b.board ? -1 : 1));
    this.#row.create();
    const { id } = this.#row;
    for (let from = 0; from < sorted.length; from += WRITTEN_ROWS) {
      this.#at.atOnce(() => {
        const insert = this.#at.sqlite.prepare("INSERT INTO claim VALUES (?, ?, ?, ?)");
        for (const { board, lo, hi } of sorted.slice(from, from + WRITTEN_ROWS)) {
          insert.run(id, BigInt.asIntN(64, board), lo, Number.isFinite(hi) ? hi : null);
        }
      });
    }
    const made = new Date().toISOString();
    this.#at.run("INSERT INTO certificate VALUES (?, ?, ?, ?)", id, effort, made, seconds);
    this.#at.expectKept();
  }

  /** Deletes the certificate. */
  clear(): void {
    const { id } = this.#row;
    this.#at.run("DELETE FROM certificate WHERE game = ?", id);
    const remove = `DELETE FROM claim WHERE game = ? AND board IN
      (SELECT board FROM claim WHERE game = ? LIMIT ${WRITTEN_ROWS})`;
    while (this.#at.run(remove, id, id).changes > 0);
  }
}
