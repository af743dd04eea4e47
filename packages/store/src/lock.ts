import { explained, StoreError } from "./errors.js";
import { makeFolder, openFile } from "./sqlite-file.js";

/** Milliseconds to wait for a lock. */
const PATIENCE_MS = 100;
/** A lock file is never a link: whoever acquires the lock would create or change another file. */
const LOCK = { links: false };

/**
 * Acquires the exclusive lock that a file stands for, and holds it until it is disposed of or the
 * process ends. The file is created if it is missing, and stays empty.
 *
 * To SQLite the file is a database in an exclusive transaction, so the operating system knows who
 * holds the lock and frees it however that process ends. The file is never removed: a process that
 * had just opened a removed file would lock that one while another process locks its successor.
 *
 * @param work what the lock is for, as the end of "another process is …"
 * @param nameHolder returns the holder's name, for the error
 * @throws {StoreError} `locked` if another process holds it
 */
export function acquireLock(
  file: string,
  work: string,
  nameHolder = () => "another process",
): Disposable {
  makeFolder(file);
  const sqlite = openFile(file, LOCK, { timeout: PATIENCE_MS });
  try {
    explained(file, "delete it", () => sqlite.exec("BEGIN EXCLUSIVE"));
  } catch (error) {
    sqlite.close();
    if (!(error instanceof StoreError && error.code === "locked")) throw error;
    throw new StoreError(
      "locked",
      `${nameHolder()} is ${work}, and holds ${file}; wait until it has finished`,
      { cause: error },
    );
  }
  return sqlite;
}
