import type { GameRow } from "./game-row.js";
import type { SqliteFile } from "./sqlite-file.js";

/**
 * The certificate of one game that was checked last: a text that tells its file from every other one, and
 * from itself after a change. A database that somebody else made may have any text here, but not that of
 * a file on this machine.
 */
export class CheckedCertificate {
  readonly #at: SqliteFile;
  readonly #row: GameRow;

  /** Use `Database.checkedCertificate` instead. */
  constructor(at: SqliteFile, row: GameRow) {
    this.#at = at;
    this.#row = row;
  }

  /** Returns the identity of the file that held when it was checked; `undefined` if none did. */
  get identity(): string | undefined {
    const find = "SELECT identity FROM checked WHERE game = ?";
    return this.#at.get<{ identity: string }>(find, this.#row.id)?.identity;
  }

  /** Stores that a file was checked, and holds. */
  replace(identity: string): void {
    this.#row.create();
    this.#at.run("INSERT OR REPLACE INTO checked VALUES (?, ?)", this.#row.id, identity);
  }

  /** Forgets that a file was checked. */
  clear(): void {
    this.#at.run("DELETE FROM checked WHERE game = ?", this.#row.id);
  }
}
