import { closeSync, existsSync, fstatSync, readSync, realpathSync, rmSync } from "node:fs";
import { StoreError } from "./errors.js";
import { inodeAt, LOGS } from "./place.js";
import { expectPlain, openPlain } from "./plain-file.js";

/* Logs and journals beside a database that do not belong to it. SQLite would apply them all the same. */

/** The beginning of SQLite's files up to the numbers that tell whether there is a write-ahead log. */
const HEAD_BYTES = 20;

/**
 * Returns whether the write-ahead log beside a file belonged to another file that was there before.
 * SQLite would apply it all the same. It marks a file that has a log before it makes the log, and
 * a file is unmarked once it is closed.
 */
export function hasForeignLog(file: string): boolean {
  if (!existsSync(`${file}-wal`)) return false;
  const head = Buffer.alloc(HEAD_BYTES);
  try {
    const descriptor = openPlain(file, "read");
    try {
      readSync(descriptor, head, 0, HEAD_BYTES, 0);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return false; // whoever opens the file reports that
  }
  return head.toString("latin1", 0, 16) === "SQLite format 3\0" && head[18] === 1 && head[19] === 1;
}

/** Removes the log beside a file if {@link hasForeignLog}, unless its folder cannot be written. */
export function removeForeignLog(file: string): void {
  const log = inodeAt(`${file}-wal`);
  if (log === undefined || !hasForeignLog(file) || inodeAt(`${file}-wal`) !== log) return;
  try {
    for (const ending of LOGS) rmSync(file + ending, { force: true });
  } catch {}
}

/** The last bytes of a journal of a transaction over several files. */
const SEVERAL_FILES = Buffer.from("d9d505f920a163d7", "hex");

/**
 * Refuses a file with a log that is no regular file, or whose rollback journal belongs to a
 * transaction over several files. Gridlock makes no such transactions. Such a journal names another
 * file, at any path, which SQLite deletes when it rolls the transaction back.
 *
 * @throws {StoreError} `unusable`, `damaged`
 * @see https://www.sqlite.org/fileformat2.html#the_rollback_journal
 */
export function refuseForeignLogs(file: string): void {
  const path = realpathSync(file);
  for (const ending of LOGS) expectPlain(path + ending, false);
  const journal = `${path}-journal`;
  if (!expectPlain(journal, false)) return;
  const descriptor = openPlain(journal, "read");
  try {
    const end = Buffer.alloc(SEVERAL_FILES.length);
    readSync(descriptor, end, 0, end.length, Math.max(0, fstatSync(descriptor).size - end.length));
    if (!end.equals(SEVERAL_FILES)) return;
  } finally {
    closeSync(descriptor);
  }
  throw new StoreError(
    "damaged",
    `${journal} was not written by Gridlock: it names other files. Get another copy of ${file}`,
  );
}
