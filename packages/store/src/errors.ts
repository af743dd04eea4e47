import Sqlite from "better-sqlite3";

/** Why a file could not be used, for programs; the message says the same to people. */
export type StoreErrorCode =
  | "missing"
  | "not-a-database"
  | "other-version"
  | "other-kernel"
  | "other-game"
  | "read-only"
  | "locked"
  | "full"
  | "damaged"
  | "contradiction"
  | "unusable";

/** A file that cannot be opened, read or written. What had been committed before is untouched. */
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

/**
 * Runs `action`, with SQLite's errors put into sentences that name the file.
 *
 * @param remedy what the user can do when the file itself is no good
 */
export function explained<T>(file: string, remedy: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw explain(file, remedy, error);
  }
}

function explain(file: string, remedy: string, error: unknown): unknown {
  if (!(error instanceof Sqlite.SqliteError)) return error;
  const [code, sentence] = sentenceFor(error.code, remedy);
  return new StoreError(code, `${file} ${sentence} (${error.message})`, { cause: error });
}

function sentenceFor(sqliteCode: string, remedy: string): [StoreErrorCode, string] {
  if (sqliteCode.startsWith("SQLITE_NOTADB")) {
    return ["not-a-database", `is not a file of Gridlock's; ${remedy}`];
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
  if (sqliteCode.startsWith("SQLITE_CORRUPT")) return ["damaged", `is damaged; ${remedy}`];
  if (sqliteCode.startsWith("SQLITE_CONSTRAINT")) {
    return ["damaged", `holds what no version of this program writes; ${remedy}`];
  }
  // A schema that cannot be read, a table or a column that is gone.
  if (sqliteCode === "SQLITE_ERROR") return ["damaged", `is damaged; ${remedy}`];
  return ["unusable", "could not be used"];
}
