import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Sqlite from "better-sqlite3";
import { explained, StoreError } from "./errors.js";
import { ensureSchema, type FileKind } from "./schema.js";

/** How to open a file. */
export interface OpenOptions {
  /** Only read; the file must exist. Default: read and write, and make the file if it is missing. */
  readonly readOnly?: boolean;
  /** How long to wait for another process's lock, in milliseconds. Default: 5000. */
  readonly patience?: number;
}

/** Opens an SQLite file of a kind, made or migrated where it may be written. */
export function openSqlite(
  file: string,
  kind: FileKind,
  { readOnly = false, patience = 5000 }: OpenOptions = {},
): Sqlite.Database {
  if (readOnly && !existsSync(file)) {
    throw new StoreError("missing", `there is no ${kind.name} ${file}; ${kind.maker} makes one`);
  }
  return explained(file, kind.remedy, () => {
    if (readOnly) rollBack(file);
    else makeFolder(file);
    const sqlite = openFile(file, { readonly: readOnly, timeout: patience });
    try {
      sqlite.defaultSafeIntegers(false);
      if (!readOnly) sqlite.pragma(`page_size = ${kind.pageBytes}`); // of no effect on a file that is there
      ensureSchema(sqlite, file, kind, !readOnly);
      if (!readOnly) {
        useJournal(sqlite, kind.journal, patience);
        sqlite.pragma("synchronous = NORMAL");
        sqlite.pragma("foreign_keys = ON");
      }
      return sqlite;
    } catch (error) {
      sqlite.close();
      throw error;
    }
  });
}

/**
 * Takes back what a process that was killed has written by half. SQLite does so whenever a file is opened to
 * be written; a reader alone may not, and is refused.
 */
function rollBack(file: string): void {
  const reader = openFile(file, { readonly: true });
  try {
    reader.pragma("user_version");
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError && NEEDS_WRITER.has(error.code))) return;
    const writer = openFile(file, {});
    try {
      writer.pragma("user_version");
    } finally {
      writer.close();
    }
  } finally {
    reader.close();
  }
}

const NEEDS_WRITER = new Set(["SQLITE_READONLY_ROLLBACK", "SQLITE_READONLY_RECOVERY"]);

/**
 * Closes a file that was opened to be written and leaves its write-ahead log behind, so that the file at
 * rest is all there is and may be read from where nothing can be written. Not possible while others have
 * it open; the last one does it.
 */
export function settleAndClose(sqlite: Sqlite.Database): void {
  try {
    sqlite.pragma("busy_timeout = 0");
    sqlite.pragma("journal_mode = DELETE");
  } catch {
    // Another process has the file open, or it cannot be written now: the log stays, and is valid.
  }
  sqlite.close();
}

/** What SQLite finds wrong with a file when it reads all of it: nothing if the file is whole. */
export function faultsOf(sqlite: Sqlite.Database): string[] {
  const found = sqlite.pragma("integrity_check") as { integrity_check: string }[];
  return found.map((row) => row.integrity_check).filter((fault) => fault !== "ok");
}

/**
 * Switches to the journal of a kind. Where others have the file open with another that cannot be done; all works
 * all the same, with more waiting.
 */
function useJournal(sqlite: Sqlite.Database, journal: FileKind["journal"], patience: number): void {
  sqlite.pragma("busy_timeout = 0");
  try {
    sqlite.pragma(`journal_mode = ${journal}`);
  } catch (error) {
    const code = error instanceof Sqlite.SqliteError ? error.code : "";
    if (!code.startsWith("SQLITE_BUSY")) throw error;
  }
  sqlite.pragma(`busy_timeout = ${patience}`);
}

/** Makes the folder of a file. */
export function makeFolder(file: string): void {
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

/** Opens a file with SQLite, which reads nothing of it yet. */
export function openFile(file: string, options: Sqlite.Options): Sqlite.Database {
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
