import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseShape } from "@gridlock/game";
import { falsify, temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { acquireLock, Database, SnapshotFile } from "../src/index.js";
import { errorOf } from "./damage.js";

const GAME = { shape: parseShape("2x2"), tiles: [2, 4] } as const;

describe("a database with another schema", () => {
  it.each([
    [
      "a view without end in place of a table",
      `DROP TABLE checked; CREATE VIEW checked AS
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
       SELECT 1 AS game, i AS board, 0 AS lo, 0 AS hi FROM n`,
    ],
    ["a trigger", "CREATE TRIGGER t AFTER INSERT ON game BEGIN DELETE FROM bound; END"],
    ["another view", "CREATE VIEW v AS SELECT 1"],
    ["another table", "CREATE TABLE t (x)"],
    ["an index", "CREATE INDEX i ON bound (lo)"],
    ["a generated column", "ALTER TABLE run ADD COLUMN g AS (1)"],
    ["a table less", "DROP TABLE checked"],
    ["a column less", "ALTER TABLE run DROP COLUMN seconds"],
    ["columns of any type", "DROP TABLE checked; CREATE TABLE checked (game, board, lo, hi)"],
    [
      "a table without a definition in SQL",
      "UPDATE sqlite_schema SET sql = 'x' WHERE name = 'checked'",
    ],
    ["a table on no page", "UPDATE sqlite_schema SET rootpage = 1000000 WHERE name = 'checked'"],
    ["a version below zero", "PRAGMA user_version = -1"],
  ])("as with %s, is refused", (_, sql) => {
    const file = join(temporaryFolder(), "test.db");
    Database.open(file).close();
    falsify(file, sql);
    for (const readOnly of [true, false]) {
      const error = errorOf(() => Database.open(file, { readOnly }));
      expect(error.code).toBe("damaged");
      expect(error.message).toContain(file);
    }
  });

  it("is used if it only has SQLite's statistics", () => {
    const file = join(temporaryFolder(), "test.db");
    {
      using database = Database.open(file);
      database.addStarts(GAME, []);
    }
    falsify(file, "ANALYZE");
    using database = Database.open(file);
    expect(database.games()).toEqual([GAME]);
  });
});

describe("a journal of a transaction over several files", () => {
  /** The last bytes of such a journal. */
  const END = Buffer.from("d9d505f920a163d7", "hex");

  it("is refused before SQLite sees it", () => {
    const file = join(temporaryFolder(), "test.db");
    Database.open(file).close();
    for (const open of [
      () => Database.open(file, { readOnly: true }),
      () => Database.open(file),
      () => acquireLock(file, "testing"),
    ]) {
      writeFileSync(`${file}-journal`, Buffer.concat([Buffer.alloc(8), END]));
      expect(errorOf(open)).toMatchObject({ code: "damaged" });
    }
  });
});

describe("a link", () => {
  it("is followed to a database, which the user names", () => {
    const folder = temporaryFolder();
    const file = join(folder, "test.db");
    Database.open(file).close();
    symlinkSync(file, join(folder, "link.db"));
    using database = Database.open(join(folder, "link.db"));
    expect(database.games()).toEqual([]);
  });

  it.each(["-wal", "-shm", "-journal"])("is named where the log %s should be", (ending) => {
    const file = join(temporaryFolder(), "test.db");
    Database.open(file).close();
    const bytes = readFileSync(file);
    bytes.fill(2, 18, 20); // SQLite's marks of a file that has a log
    writeFileSync(file, bytes);
    symlinkSync(file, file + ending);
    for (const readOnly of [true, false]) {
      const { message } = errorOf(() => Database.open(file, { readOnly }));
      expect(message).toContain(`${file}${ending}: it is a link to another file`);
    }
  });

  it("to nothing or to another file is refused where Gridlock chooses the name", () => {
    const folder = temporaryFolder();
    const victim = join(folder, "victim");
    const link = join(folder, "link");
    symlinkSync(victim, link);
    const opens = [
      () => acquireLock(link, "testing"),
      () => SnapshotFile.open(link),
      () => Database.open(link), // to nothing
    ];
    for (const open of opens) expect(errorOf(open).message).toMatch(/it is a link/);
    expect(existsSync(victim)).toBe(false);
    writeFileSync(victim, "");
    for (const open of opens.slice(0, 2)) expect(errorOf(open).message).toMatch(/it is a link/);
    expect(statSync(victim).size).toBe(0);
  });
});

describe("a snapshot", () => {
  const identity = { game: GAME, kernel: "1" };

  it.each([
    ["a part that no snapshot has", "UPDATE batch SET part = 1000000000"],
    ["a part that is a text", "UPDATE batch SET part = 'x'"],
    ["more entries than bytes", "UPDATE batch SET entries = 1000000000000"],
    ["entries that are a text", "UPDATE batch SET entries = 'x'"],
  ])("with %s is damaged", (_, sql) => {
    const file = join(temporaryFolder(), "test.snapshot");
    {
      using snapshot = SnapshotFile.open(file);
      snapshot.expect(identity);
      snapshot.writePart(identity, 3, 0, [{ entries: 1, data: new Uint8Array(9) }]);
    }
    falsify(file, sql);
    using snapshot = SnapshotFile.open(file);
    expect(errorOf(() => [...snapshot.batches(identity)]).code).toBe("damaged");
    if (sql.includes("part")) expect(errorOf(() => snapshot.oldestPart()).code).toBe("damaged");
  });
});
