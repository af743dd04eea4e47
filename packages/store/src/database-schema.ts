import { parseTiles } from "@gridlock/game";
import type Sqlite from "better-sqlite3";
import { type BoundColumns, boundChecksum } from "./checksum.js";
import type { FileKind } from "./schema.js";

/**
 * The schema of a solution database.
 *
 * - `bound` has the proven bounds: for a canonical board (packed, four bits per cell, as a signed
 *   64-bit number) with the slider (turn 0) or the placer (turn 1) to move, `lo ≤ h ≤ hi` in
 *   points. The checksum covers the game and all columns, so that a damaged row is never taken for
 *   a proof.
 * - `start` lists the boards whose values solve the game; their values are in `bound`.
 * - `checked` has the identity of a game's certificate, a file beside the database, that was
 *   checked and holds.
 * - `entries` has entries of the table that solved a game, packed by the kernel that it names, in
 *   batches. Each has a digest, as in a snapshot (`snapshot-schema.ts`).
 * - `asked` has the thresholds that searches for lower bounds have asked of a game, and their cost.
 * - `run` is the log of solves. While a run searches, `board` and `threshold` are its question.
 */
export const DATABASE: FileKind = {
  name: "solution database",
  maker: "gridlock solve",
  remedy: "restore a copy, or name another file with --db",
  links: true,
  applicationId: 0x47524c4b, // "GRLK"
  pageBytes: 4096,
  journal: "WAL",
  migrations: [firstSchema, addChecksumsAndClaims, addQuestionsAndEntries, dropClaims, addAsked],
};

/** The schema version that this program writes. */
export const SCHEMA_VERSION = DATABASE.migrations.length;

function firstSchema(sqlite: Sqlite.Database): void {
  sqlite.exec(`
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
  `);
}

function addChecksumsAndClaims(sqlite: Sqlite.Database): void {
  sqlite.exec(`
    CREATE TABLE checked_bound (
      game INTEGER NOT NULL REFERENCES game (id),
      turn INTEGER NOT NULL CHECK (turn IN (0, 1)),
      board INTEGER NOT NULL,
      lo INTEGER NOT NULL CHECK (lo >= 0),
      hi INTEGER NOT NULL,
      checksum INTEGER NOT NULL,
      PRIMARY KEY (game, turn, board),
      CHECK (lo <= hi)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE certificate (
      game INTEGER PRIMARY KEY REFERENCES game (id),
      effort INTEGER NOT NULL CHECK (effort >= 0),
      made TEXT NOT NULL,
      seconds REAL NOT NULL
    ) STRICT;

    CREATE TABLE claim (
      game INTEGER NOT NULL REFERENCES game (id),
      board INTEGER NOT NULL,
      lo INTEGER NOT NULL,
      hi INTEGER,
      PRIMARY KEY (game, board)
    ) STRICT, WITHOUT ROWID;
  `);
  sqlite.function(
    "bound_checksum",
    { deterministic: true, varargs: true },
    (rows, cols, tiles, ...bound) =>
      boundChecksum({ rows, cols }, parseTiles(tiles), bound as unknown as BoundColumns),
  );
  sqlite.exec(`
    INSERT INTO checked_bound
      SELECT game, turn, board, lo, hi,
             bound_checksum(rows, cols, tiles, turn, board >> 32, board & 0xffffffff, lo, hi)
      FROM bound JOIN game ON game.id = bound.game;
    DROP TABLE bound;
    ALTER TABLE checked_bound RENAME TO bound;
  `);
}

function addQuestionsAndEntries(sqlite: Sqlite.Database): void {
  sqlite.exec(`
    ALTER TABLE run ADD COLUMN board TEXT;
    ALTER TABLE run ADD COLUMN threshold INTEGER;
    CREATE TABLE entries (
      game INTEGER NOT NULL REFERENCES game (id),
      part INTEGER NOT NULL,
      kernel TEXT NOT NULL,
      entries INTEGER NOT NULL,
      digest BLOB NOT NULL,
      data BLOB NOT NULL,
      PRIMARY KEY (game, part)
    ) STRICT;
  `);
}

/** From here on, certificates are files beside the database; those in the table are unreadable. */
function dropClaims(sqlite: Sqlite.Database): void {
  sqlite.exec(`
    DROP TABLE claim;
    DROP TABLE certificate;
    CREATE TABLE checked (
      game INTEGER PRIMARY KEY REFERENCES game (id),
      identity TEXT NOT NULL
    ) STRICT;
  `);
}

function addAsked(sqlite: Sqlite.Database): void {
  sqlite.exec(`
    CREATE TABLE asked (
      game INTEGER NOT NULL REFERENCES game (id),
      threshold INTEGER NOT NULL,
      nodes INTEGER NOT NULL,
      seconds REAL NOT NULL,
      answered INTEGER NOT NULL CHECK (answered IN (0, 1)),
      PRIMARY KEY (game, threshold)
    ) STRICT, WITHOUT ROWID;
  `);
}
