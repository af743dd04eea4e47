import { explained, StoreError } from "./errors.js";
import { makeFolder, openFile } from "./sqlite-file.js";

/** What one process alone may do, until it gives it up or ends. */
export interface Lock {
  release(): void;
}

/**
 * Takes the lock that a file stands for, which is made if it is not there and stays empty. To SQLite it is a file in a
 * transaction that excludes all others: the operating system knows who holds it, and frees it when that process ends,
 * however it does. It is never removed: who has just opened a file that is removed would hold the lock of that one, beside
 * another with the lock of the next.
 *
 * @param work what it is for, in words
 * @throws {StoreError} `locked` when another holds it
 */
export function takeLock(file: string, work: string): Lock {
  makeFolder(file);
  const sqlite = openFile(file, { timeout: 0 });
  try {
    explained(file, "delete it", () => sqlite.exec("BEGIN EXCLUSIVE"));
  } catch (error) {
    sqlite.close();
    if (!(error instanceof StoreError && error.code === "locked")) throw error;
    throw new StoreError(
      "locked",
      `another process is ${work}, and holds ${file}; wait until it has finished`,
      { cause: error },
    );
  }
  return { release: () => sqlite.close() };
}
