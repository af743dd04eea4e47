import { Database, MEMORY, StoreError } from "@gridlock/store";
import type { LibraryOptions } from "./library-options.js";

/**
 * Opens a database for writing or, if its file cannot be written, for reading; a missing one is
 * then empty.
 */
export function openToRead({ db, readOnly = false, verified, warn }: LibraryOptions): Database {
  if (verified) return Database.open(db, { readOnly: true });
  const reader = { readOnly: true, orEmpty: true };
  if (readOnly) return Database.open(db, reader);
  if (db === MEMORY) warn(`${db} is not a file: search results will not be saved`);
  try {
    return Database.open(db);
  } catch (error) {
    if (!(error instanceof StoreError && error.code === "read-only")) throw error;
    const database = Database.open(db, reader);
    warn(`${db} cannot be written: search results will not be saved`);
    return database;
  }
}
