import { join } from "node:path";
import { temporaryFolder } from "@gridlock/testbed";
import Sqlite from "better-sqlite3";
import { expect, it } from "vitest";
import { explained, isFolderWritable } from "../src/errors.js";
import { errorOf } from "./damage.js";

it.each([
  ["SQLITE_ERROR", "damaged", /^x\.db is damaged; delete it \(why\)$/],
  ["SQLITE_ERROR_RETRY", "unusable", /^x\.db could not be used \(why\)$/],
  ["SQLITE_BUSY_SNAPSHOT", "locked", /^x\.db is locked by another process; .* \(why\)$/],
  ["SQLITE_CORRUPT_INDEX", "damaged", /^x\.db is damaged; delete it \(why\)$/],
  ["SQLITE_TOOBIG", "unusable", /^x\.db could not be used \(why\)$/],
])("an error with SQLite's code %s is %s", (sqliteCode, code, message) => {
  const fail = () => {
    throw new Sqlite.SqliteError("why", sqliteCode);
  };
  const error = errorOf(() => explained("x.db", "delete it", fail));
  expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
});

it("a folder that is missing can be made where the one above it is writable", () => {
  expect(isFolderWritable(join(temporaryFolder(), "a/b/c.db"))).toBe(true);
  expect(isFolderWritable("/proc/self/a/b.db")).toBe(false);
});
