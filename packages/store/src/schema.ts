import type Sqlite from "better-sqlite3";
import { StoreError } from "./errors.js";

/** Marks a SQLite file as Gridlock's: "GRLK". */
const APPLICATION_ID = 0x47524c4b;

/**
 * The statements that bring a database from each version to the next; a new file runs them all. A
 * migration is never changed once released.
 *
 * - `bound` is what is proven: for a canonical board (packed, four bits a cell, as a signed 64-bit
 *   number) with the slider (turn 0) or the placer (turn 1) to move, `lo ≤ h ≤ hi` in points.
 * - `start` lists the boards whose values solve the game; their values are in `bound`.
 * - `run` is the log of solves.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE game (
    id INTEGER PRIMARY KEY,
    rows INTEGER NOT NULL,
    cols INTEGER NOT NULL CHECK (rows <= cols),
    tiles TEXT NOT NULL,
    UNIQUE (rows, cols, tiles)
  ) STRICT;

  CREATE TABLE bound (
    game INTEGER NOT NULL REFERENCES game (id),
    turn INTEGER NOT NULL CHECK (turn IN (0, 1)),
    board INTEGER NOT NULL,
    lo INTEGER NOT NULL CHECK (lo >= 0),
    hi INTEGER NOT NULL,
    PRIMARY KEY (game, turn, board),
    CHECK (lo <= hi)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE start (
    game INTEGER NOT NULL REFERENCES game (id),
    number INTEGER NOT NULL,
    board INTEGER NOT NULL,
    PRIMARY KEY (game, number)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    game INTEGER NOT NULL REFERENCES game (id),
    started TEXT NOT NULL,
    version TEXT NOT NULL,
    machine TEXT NOT NULL,
    options TEXT NOT NULL,
    outcome TEXT NOT NULL DEFAULT 'unfinished' CHECK (outcome IN ('unfinished', 'solved', 'stopped', 'failed')),
    positions INTEGER NOT NULL DEFAULT 0,
    afterstates INTEGER NOT NULL DEFAULT 0,
    seconds REAL NOT NULL DEFAULT 0
  ) STRICT;
  `,
];

/** The schema version this program writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/**
 * Makes sure that an open file is a Gridlock database of this version, and with `write` makes it one:
 * an empty file gets the schema, an older database is migrated, each step whole or not at all.
 *
 * @throws {StoreError} `not-a-database` for another program's database, `other-version` for a newer
 *   one, or an older one that is only to be read.
 */
export function ensureSchema(sqlite: Sqlite.Database, file: string, write: boolean): void {
  if (versionOf(sqlite, file) === SCHEMA_VERSION) return;
  if (!write) {
    const version = versionOf(sqlite, file);
    throw new StoreError(
      "other-version",
      version === 0
        ? `${file} is empty; expected a database made by gridlock solve`
        : `${file} has schema version ${version} and this program reads ${SCHEMA_VERSION}; gridlock solve migrates it`,
    );
  }
  sqlite
    .transaction(() => {
      // Looked up again under the write lock: another process may have been first.
      for (let version = versionOf(sqlite, file); version < SCHEMA_VERSION; version++) {
        sqlite.exec(MIGRATIONS[version] as string);
      }
      sqlite.pragma(`application_id = ${APPLICATION_ID}`);
      sqlite.pragma(`user_version = ${SCHEMA_VERSION}`);
    })
    .immediate();
}

/** The schema version of a Gridlock database, 0 of an empty file. */
function versionOf(sqlite: Sqlite.Database, file: string): number {
  const id = sqlite.pragma("application_id", { simple: true }) as number;
  const version = sqlite.pragma("user_version", { simple: true }) as number;
  const tables = sqlite.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() as number;
  if (id === 0 && version === 0 && tables === 0) return 0;
  if (id !== APPLICATION_ID) {
    throw new StoreError(
      "not-a-database",
      `${file} is a database of another program; name another file with --db`,
    );
  }
  if (version > SCHEMA_VERSION) {
    throw new StoreError(
      "other-version",
      `${file} has schema version ${version} and this program knows up to ${SCHEMA_VERSION}; use the newer program that made it`,
    );
  }
  return version;
}
