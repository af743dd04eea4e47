import { closeSync, fstatSync, readSync, realpathSync } from "node:fs";
import { StoreError } from "./errors.js";
import { LOGS } from "./file-identity.js";
import { expectPlain, openPlain } from "./plain-file.js";

/*
 * Logs and journals beside a database that do not belong to it. SQLite would use them all the same.
 */

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
