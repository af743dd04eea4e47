/*
 * Preloaded into a command (`node --import`): as soon as its main thread has read a file or used
 * SQL as often as STUCK_AT says, sends the process SIGINT and waits, as if what it reads had no
 * end. A process that still runs after that ends with code 99.
 *
 *     STUCK_AT='2 integrity_check'   the second time that SQL with this word is used
 *     STUCK_AT='1 readSync'          the first time that a file is read by this function
 */
import fs from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { isMainThread } from "node:worker_threads";

/** Milliseconds until a process counts as deaf: signals are handled at once, or after the call. */
const PATIENCE_MS = 5000;

if (isMainThread) {
  const { STUCK_AT = "" } = process.env;
  const [, times = "1", word = ""] = /^(\d+) (.*)$/.exec(STUCK_AT) ?? [];
  let left = Number(times);
  const pass = (text: string) => {
    if (!text.includes(word) || --left !== 0) return;
    process.kill(process.pid, "SIGINT");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PATIENCE_MS);
    process.exit(99);
  };
  const Sqlite = createRequire(import.meta.url)("better-sqlite3");
  const sqlite = new Sqlite(":memory:");
  const statement = Object.getPrototypeOf(sqlite.prepare("SELECT 1"));
  sqlite.close();
  for (const method of ["run", "get", "all", "iterate"]) {
    const original = statement[method];
    statement[method] = function (...values: unknown[]) {
      pass(this.source);
      return original.apply(this, values);
    };
  }
  const { readSync } = fs;
  fs.readSync = ((...args: Parameters<typeof readSync>) => {
    pass("readSync");
    return readSync(...args);
  }) as typeof readSync;
  syncBuiltinESMExports();
}
