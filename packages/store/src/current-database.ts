import { existsSync } from "node:fs";
import { Database } from "./database.js";

/**
 * A database for reading that is opened again when another file has taken its place. A missing file
 * is an empty database; if the file is removed later, what was read from it stays.
 */
export class CurrentDatabase implements Disposable {
  readonly #file: string;
  #database: Database;

  /** @throws {StoreError} if the file cannot be used */
  constructor(file: string) {
    this.#file = file;
    this.#database = this.#open();
  }

  #open(): Database {
    return Database.open(this.#file, { readOnly: true, orEmpty: true });
  }

  /**
   * Returns the database, which may be closed by the next call.
   *
   * @throws {StoreError} if another file has taken its place that cannot be used
   */
  get(): Database {
    if (!this.#database.isKept && existsSync(this.#file)) {
      this.#database.close();
      this.#database = this.#open();
    }
    return this.#database;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}
