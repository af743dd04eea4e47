import Sqlite from "better-sqlite3";

/** Why a database could not be used, for programs; the message says the same to people. */
export type StoreErrorCode =
  | "missing"
  | "not-a-database"
  | "other-version"
  | "read-only"
  | "locked"
  | "full"
  | "damaged"
  | "contradiction"
  | "unusable";

/** A database that cannot be opened, read or written. What had been committed before is untouched. */
export class StoreError extends Error {
  override readonly name = "StoreError";

  constructor(
    readonly code: StoreErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Runs `action`, with SQLite's errors put into sentences that name the file. */
export function explained<T>(file: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw explain(file, error);
  }
}

function explain(file: string, error: unknown): unknown {
  if (!(error instanceof Sqlite.SqliteError)) return error;
  const [code, sentence] = sentenceFor(error.code);
  return new StoreError(code, `${file} ${sentence} (${error.message})`, { cause: error });
}

function sentenceFor(sqliteCode: string): [StoreErrorCode, string] {
  if (sqliteCode.startsWith("SQLITE_NOTADB")) {
    return ["not-a-database", "is not a Gridlock database; name another file with --db"];
  }
  if (sqliteCode.startsWith("SQLITE_READONLY")) {
    return ["read-only", "cannot be written; expected a file and a folder with write permission"];
  }
  if (sqliteCode.startsWith("SQLITE_BUSY") || sqliteCode.startsWith("SQLITE_LOCKED")) {
    return [
      "locked",
      "is held by another process; wait until it has finished, or name another file",
    ];
  }
  if (sqliteCode.startsWith("SQLITE_FULL")) {
    return [
      "full",
      "cannot grow: the disk is full. What was saved before is safe; free space and run again",
    ];
  }
  if (sqliteCode.startsWith("SQLITE_CORRUPT")) {
    return ["damaged", "is damaged; restore a copy, or name another file with --db"];
  }
  if (sqliteCode.startsWith("SQLITE_CONSTRAINT_CHECK")) {
    return ["contradiction", "holds a bound that the new one contradicts; nothing was changed"];
  }
  return ["unusable", "could not be used"];
}
