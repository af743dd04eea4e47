import type { Game } from "@gridlock/game";
import type { GameRow } from "./game-row.js";
import type { NewBatch } from "./snapshot.js";
import { type BatchColumns, digestOf, isAsWritten } from "./snapshot-schema.js";
import type { SqliteFile } from "./sqlite-file.js";

/**
 * Entries of the table that solved a game, as a kernel packs them: proven bounds that only save
 * time. Only the kernel that wrote them can read them.
 */
export class StoredEntries {
  readonly #at: SqliteFile;
  readonly #row: GameRow;
  readonly #game: Game;

  /** Use `Database.entries` instead. */
  constructor(at: SqliteFile, row: GameRow, game: Game) {
    this.#at = at;
    this.#row = row;
    this.#game = game;
  }

  /** Replaces all entries in one transaction. */
  replace(kernel: string, batches: Iterable<NewBatch>): void {
    this.#row.create();
    const { id } = this.#row;
    const identity = { game: this.#game, kernel };
    this.#at.atOnce(() => {
      this.#at.run("DELETE FROM entries WHERE game = ?", id);
      const insert = this.#at.sqlite.prepare("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)");
      let part = 0;
      for (const { entries, data } of batches) {
        const digest = digestOf(identity, { entries, data, part, covers: 0 });
        insert.run(id, part, kernel, entries, digest, data);
        part++;
      }
    });
  }

  /**
   * Reads the entries that a kernel can use, batch by batch; none if another one wrote them.
   *
   * @throws {StoreError} `damaged` if a batch does not match its digest
   */
  *batches(kernel: string): Generator<Uint8Array> {
    const identity = { game: this.#game, kernel };
    const find = `SELECT part AS id, part, entries, digest, data, 0 AS covers FROM entries
      WHERE game = ? AND kernel = ? AND part = ?`;
    for (let part = 0; ; part++) {
      const batch = this.#at.get<BatchColumns>(find, this.#row.id, kernel, part);
      if (batch === undefined) return;
      if (!isAsWritten(identity, batch)) {
        throw this.#at.damaged(`batch ${part} of its table entries does not match its digest`);
      }
      yield batch.data;
    }
  }
}
