import { existsSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import Sqlite from "better-sqlite3";
import { type Connection, connect } from "./connect.js";
import { explained, isFolderWritable, lost, StoreError } from "./errors.js";
import { FileIdentity, LOGS } from "./file-identity.js";
import { refuseForeignLogs } from "./foreign-logs.js";
import { orDisposed } from "./or-disposed.js";
import { expectPlain, makeFolders } from "./plain-file.js";
import { reasonOf } from "./reason.js";
import { ensureSchema, type FileKind, versionOf } from "./schema.js";

/** SQLite's names of a database in memory, and of one that it deletes when it is closed. */
export const MEMORY = ":memory:";
/** SQLite's name of a database that it deletes when it is closed. */
export const TEMPORARY = "";

/** Options for opening a file. */
export interface OpenOptions {
  /** Only read; the file must exist. Default: read and write, and create a missing file. */
  readonly readOnly?: boolean;
  /** With `readOnly`: a missing file is read as an empty one. */
  readonly orEmpty?: boolean;
  /** Milliseconds to wait for another process's lock. Default: 5000. */
  readonly patience?: number;
}

/**
 * An open SQLite file of a kind. All methods throw {@link StoreError}, whose message is for people,
 * if the file cannot be used.
 */
export class SqliteFile implements Disposable {
  readonly readOnly: boolean;
  readonly sqlite: Sqlite.Database;
  readonly #identity: FileIdentity;

  /** Opens a file. A writer creates it if it is missing and migrates it if it is old. */
  constructor(
    readonly file: string,
    readonly kind: FileKind,
    { readOnly = false, orEmpty = false, patience = 5000 }: OpenOptions,
  ) {
    this.readOnly = readOnly;
    this.sqlite = openHere(file, kind, { readOnly, orEmpty, patience });
    this.#identity = new FileIdentity(file);
    if (readOnly || file === MEMORY || file === TEMPORARY || existsSync(file)) return;
    this.sqlite.close();
    throw lost(file);
  }

  /** Runs `action`, and turns SQLite's errors into sentences. */
  explained<T>(action: () => T): T {
    return explained(this.file, this.kind.remedy, action);
  }

  /** Returns the first row that a query finds. */
  get<Row>(query: string, ...values: unknown[]): Row | undefined {
    return this.explained(() => this.sqlite.prepare<unknown[], Row>(query).get(...values));
  }

  /** Returns all rows that a query finds. */
  all<Row>(query: string, ...values: unknown[]): Row[] {
    return this.explained(() => this.sqlite.prepare<unknown[], Row>(query).all(...values));
  }

  /** Runs a statement that writes. */
  run(statement: string, ...values: unknown[]): Sqlite.RunResult {
    return this.explained(() => this.sqlite.prepare(statement).run(...values));
  }

  /**
   * Runs calls that write in one transaction: on an error or a crash nothing is written.
   *
   * @throws {StoreError} `replaced` if the file was removed or replaced, so that nothing is saved
   */
  atOnce<T>(calls: () => T): T {
    const result = this.explained(() => this.sqlite.transaction(calls).immediate());
    this.expectInPlace();
    return result;
  }

  /** Makes the error for contents that no version of this program writes. */
  damaged(what?: string): StoreError {
    const found = what === undefined ? "" : `: ${what}`;
    return new StoreError("damaged", `${this.file} is damaged${found}; ${this.kind.remedy}`);
  }

  /** @throws {StoreError} `replaced` if the file was removed or replaced after it was opened */
  expectInPlace(): void {
    this.#identity.expectInPlace();
  }

  /** Milliseconds that a call waits for another process's lock; see {@link OpenOptions}. */
  set patience(milliseconds: number) {
    this.sqlite.pragma(`busy_timeout = ${milliseconds}`);
  }

  /**
   * Returns the faults that SQLite's integrity check finds in the file, one per line; empty if it
   * is intact.
   */
  faults(): string[] {
    const found = this.explained(() => this.sqlite.pragma("integrity_check"));
    const lines = (found as { integrity_check: string }[]).flatMap((row) =>
      row.integrity_check.split("\n"),
    );
    // A row may have several faults, below a line that names the database.
    return lines.filter((line) => line !== "ok" && !line.startsWith("*** in database "));
  }

  /** Closes the file, which cannot be used afterwards; further calls do nothing. */
  close(): void {
    if (!this.sqlite.open) return;
    if (this.readOnly) this.sqlite.close();
    else mergeLogAndClose(this.sqlite);
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

function openHere(
  file: string,
  kind: FileKind,
  { readOnly, orEmpty, patience }: Required<OpenOptions>,
): Sqlite.Database {
  if (readOnly && !expectPlain(file, kind.links)) {
    if (orEmpty) return emptyInMemory(file, kind);
    throw new StoreError("missing", `there is no ${kind.name} ${file}; ${kind.maker} makes one`);
  }
  return explained(file, kind.remedy, () => {
    if (!readOnly) return openToWrite(file, kind, patience);
    rollBack(file, kind);
    const sqlite = openFile(file, kind, { readonly: true, timeout: patience });
    return orDisposed(sqlite, () => {
      if (versionOf(sqlite, file, kind) > 0) {
        ensureSchema(sqlite, file, kind, false);
        return sqlite;
      }
      // Its writer was killed before creating the tables: nothing has been saved yet.
      sqlite.close();
      return emptyInMemory(file, kind);
    });
  });
}

function openToWrite(file: string, kind: FileKind, patience: number): Sqlite.Database {
  makeFolder(file);
  const sqlite = openFile(file, kind, { timeout: patience });
  return orDisposed(sqlite, () => {
    sqlite.pragma(`page_size = ${kind.pageBytes}`); // has no effect on a file that has tables
    ensureSchema(sqlite, file, kind, true);
    useJournal(sqlite, kind.journal, patience);
    sqlite.pragma("user_version"); // opens the write-ahead log, which shows others that the file is in use
    sqlite.pragma("synchronous = NORMAL");
    sqlite.pragma("foreign_keys = ON");
    return sqlite;
  });
}

/**
 * Returns an empty database of a kind, which a reader queries in place of a file without tables.
 */
function emptyInMemory(file: string, kind: FileKind): Sqlite.Database {
  const sqlite = connect(MEMORY);
  ensureSchema(sqlite, file, kind, true);
  return sqlite;
}

/**
 * Rolls back a transaction that a killed process left unfinished. SQLite does so whenever a file is
 * opened for writing; it refuses a connection that only reads, since that cannot.
 */
function rollBack(file: string, kind: FileKind): void {
  using reader = openFile(file, kind, { readonly: true });
  try {
    reader.pragma("user_version");
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError && NEEDS_WRITER.has(error.code))) return;
    using writer = openFile(file, kind, {});
    writer.pragma("user_version");
  }
}

const NEEDS_WRITER = new Set(["SQLITE_READONLY_ROLLBACK", "SQLITE_READONLY_RECOVERY"]);

/**
 * Closes a file that was opened for writing and merges its write-ahead log into it, so that the
 * file alone is complete and can be read from a read-only folder. If several processes have the
 * file open, the last to close it merges the log.
 */
function mergeLogAndClose(sqlite: Sqlite.Database): void {
  try {
    sqlite.pragma("busy_timeout = 0");
    sqlite.pragma("journal_mode = DELETE");
  } catch {
    // Another process has the file open, or it cannot be written: the log stays, and is valid.
  }
  sqlite.close();
}

/**
 * Removes an SQLite file and those beside it, if they exist.
 *
 * @throws {StoreError} `unusable` if a file cannot be removed
 */
export function removeSqlite(file: string): void {
  for (const ending of ["", ...LOGS, "-journal"]) {
    try {
      rmSync(file + ending, { force: true });
    } catch (error) {
      throw unusable(`cannot remove ${file}${ending}`, error);
    }
  }
}

/**
 * Switches to the journal of a kind. While other processes have the file open with another journal,
 * this is impossible; everything still works then, with more waiting.
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

/** Creates the folder of a file. */
export function makeFolder(file: string): void {
  try {
    makeFolders(dirname(file));
  } catch (error) {
    // In a read-only file system Node.js reports that the folder does not exist.
    const { code = "" } = error as NodeJS.ErrnoException;
    const isRefused = ["EROFS", "EACCES", "EPERM", "ENOENT"].includes(code);
    if (isRefused && !isFolderWritable(file)) throw notCreated(file, error);
    throw unusable(`cannot create the folder of ${file}`, error);
  }
}

function notCreated(file: string, error: unknown): StoreError {
  return new StoreError(
    "read-only",
    `cannot create ${file}; expected a folder with write permission (${reasonOf(error)})`,
    { cause: error },
  );
}

/**
 * Opens a file with SQLite, which does not read it yet.
 *
 * @param kind `links`: whether the file may be a link
 * @throws {StoreError} `unusable` if it cannot be opened, or is not a regular file: SQLite would
 *   wait for ever for someone to write into a named pipe
 */
export function openFile(
  file: string,
  { links }: Pick<FileKind, "links">,
  options: Sqlite.Options,
): Connection {
  const exists = expectPlain(file, links);
  if (exists) refuseForeignLogs(file);
  try {
    const sqlite = connect(file, options);
    // Functions and virtual tables in the schema of a file that somebody else made do nothing.
    sqlite.pragma("trusted_schema = OFF");
    return sqlite;
  } catch (error) {
    if (isDriverUnusable(error)) throw new StoreError("unusable", NO_DRIVER, { cause: error });
    if (!(error instanceof Sqlite.SqliteError)) throw error;
    if (!exists && !isFolderWritable(file)) throw notCreated(file, error);
    const access = options.readonly ? "reading" : "reading and writing";
    throw unusable(`cannot open ${file} for ${access}`, error);
  }
}

const NO_DRIVER =
  "the SQLite driver, better-sqlite3, has no native part that this Node.js can load. With pnpm, run pnpm approve-builds; with Yarn 4, YARN_ENABLE_SCRIPTS=true yarn rebuild better-sqlite3; with npm, npm install-scripts approve better-sqlite3 (npm 12 and newer) and npm rebuild better-sqlite3";

/** Returns whether the native driver is missing, damaged, or for another Node.js or system. */
function isDriverUnusable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return "tries" in error || (error as NodeJS.ErrnoException).code === "ERR_DLOPEN_FAILED";
}

function unusable(sentence: string, error: unknown): StoreError {
  return new StoreError("unusable", `${sentence} (${reasonOf(error)})`, { cause: error });
}
