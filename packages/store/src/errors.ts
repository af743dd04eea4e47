import { accessSync, constants, existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { shortened } from "@gridlock/game";
import { passErrors } from "@gridlock/threads";
import Sqlite from "better-sqlite3";

/** The reason why a file could not be used, for programs; the message explains it to people. */
export type StoreErrorCode =
  | "missing"
  | "not-a-database"
  | "other-version"
  | "other-kernel"
  | "other-game"
  | "read-only"
  | "replaced"
  | "locked"
  | "full"
  | "damaged"
  | "contradiction"
  | "unusable";

/** An error about a file that cannot be opened, read or written. Committed data is untouched. */
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
passErrors("StoreError", StoreError);

/** Returns the error of results that were written to a file that is no longer in its place. */
export function lost(file: string, options?: ErrorOptions): StoreError {
  const sentence = `${file} was removed or replaced; results are not saved. Leave it in place until the command has ended, and run the command again`;
  return new StoreError("replaced", sentence, options);
}

/**
 * Runs `action`, and turns SQLite's errors into sentences that name the file.
 *
 * @param remedy advice to the user about an unusable file
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
  if (
    error.code === "SQLITE_READONLY_DBMOVED" ||
    (isInaccessible(error) && !existsSync(dirname(resolve(file))))
  ) {
    return lost(file, { cause: error });
  }
  const isRefused = error.code.startsWith("SQLITE_CANTOPEN") && !isFolderWritable(file);
  const known = MEANINGS.find(([pattern]) => pattern.test(error.code));
  const [code, meant] = isRefused ? READ_ONLY : (known?.[1] ?? UNKNOWN);
  const sentence = meant.replace("REMEDY", () => remedy);
  return new StoreError(code, `${file} ${sentence} (${error.message})`, { cause: error });
}

/** Returns whether SQLite could not open or write a file, or one that it needs beside it. */
function isInaccessible({ code }: InstanceType<typeof Sqlite.SqliteError>): boolean {
  return /^SQLITE_(CANTOPEN|READONLY|IOERR)/.test(code);
}

/** Returns whether a file's folder is writable or, if it is missing, the one to make it in. */
export function isFolderWritable(file: string): boolean {
  let folder = dirname(resolve(file));
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const READ_ONLY = [
  "read-only",
  "cannot be written; expected a file and a folder with write permission",
] as const;
const LOCKED = [
  "locked",
  "is locked by another process; wait until it has finished, or name another file",
] as const;

const UNKNOWN = ["unusable", "could not be used"] as const;

/**
 * Patterns of SQLite's error codes, each with our code and a sentence; REMEDY stands for the advice.
 */
const MEANINGS: readonly (readonly [RegExp, readonly [StoreErrorCode, sentence: string]])[] = [
  [/^SQLITE_NOTADB/, ["not-a-database", "was not written by Gridlock; REMEDY"]],
  [/^SQLITE_READONLY/, READ_ONLY],
  [/^SQLITE_(BUSY|LOCKED)/, LOCKED],
  [
    /^SQLITE_FULL/,
    [
      "full",
      "cannot grow: the disk is full. What was saved before is safe; free space and run again",
    ],
  ],
  [/^SQLITE_CORRUPT/, ["damaged", "is damaged; REMEDY"]],
  [
    /^SQLITE_CONSTRAINT/,
    ["damaged", "has contents that no version of this program writes; REMEDY"],
  ],
  // The schema is unreadable, or lacks a table or a column. Other errors have an ending.
  [/^SQLITE_ERROR$/, ["damaged", "is damaged; REMEDY"]],
];

/** Quotes a stored value as JSON: in a damaged or forged file it can be any text of any length. */
export function quoted(value: unknown): string {
  return shortened(JSON.stringify(value));
}
