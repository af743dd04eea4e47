import type Sqlite from "better-sqlite3";
import { connect } from "./connect.js";
import { StoreError } from "./errors.js";

/** A kind of SQLite file, and its history. */
export interface FileKind {
  readonly name: string;
  /** The command that creates a file of this kind. */
  readonly maker: string;
  /** Advice to the user about an unusable file. */
  readonly remedy: string;
  /** True if a file may be a link: the user names it. Gridlock chooses the names of others. */
  readonly links: boolean;
  /** The number that marks files of this kind. */
  readonly applicationId: number;
  /** Bytes per page of a new file. Large pages are faster for large rows. */
  readonly pageBytes: number;
  /**
   * The journal that makes transactions atomic. With a write-ahead log readers and the writer do
   * not wait for each other, but everything is written twice; a rollback journal records only what
   * a transaction overwrites, which is little when rows are added.
   */
  readonly journal: "WAL" | "TRUNCATE";
  /**
   * The steps from each version to the next; a new file runs them all. A migration is never changed
   * once released.
   */
  readonly migrations: readonly ((sqlite: Sqlite.Database) => void)[];
}

/**
 * Checks that an open file is of a kind and of its newest version. With `write`, an empty file gets
 * the schema and an older file is migrated, in one transaction.
 *
 * @throws {StoreError} `not-a-database` for another program's file, `other-version` for a newer
 *   one, or for an older one that is only read.
 */
export function ensureSchema(
  sqlite: Sqlite.Database,
  file: string,
  kind: FileKind,
  write: boolean,
): void {
  const newest = kind.migrations.length;
  const found = versionOf(sqlite, file, kind);
  if (found === newest) {
    expectSchema(sqlite, file, kind, newest);
    return;
  }
  if (!write) {
    throw new StoreError(
      "other-version",
      `${file} has schema version ${found} and this program reads ${newest}; ${kind.maker} migrates it`,
    );
  }
  sqlite
    .transaction(() => {
      // Read again under the write lock: another process may have migrated the file.
      const old = versionOf(sqlite, file, kind);
      expectSchema(sqlite, file, kind, old);
      for (const migrate of kind.migrations.slice(old)) migrate(sqlite);
      sqlite.pragma(`application_id = ${kind.applicationId}`);
      sqlite.pragma(`user_version = ${newest}`);
    })
    .immediate();
}

/**
 * Checks that a file has the tables of a version, and nothing else: a view in place of a table
 * could have rows without end, and a trigger or a generated column could change what is written.
 *
 * @throws {StoreError} `damaged` if it has others
 */
function expectSchema(
  sqlite: Sqlite.Database,
  file: string,
  kind: FileKind,
  version: number,
): void {
  using model = connect(":memory:");
  for (const migrate of kind.migrations.slice(0, version)) migrate(model);
  const expected = new Set(schemaOf(model));
  const found = schemaOf(sqlite);
  if (found.length === expected.size && found.every((entry) => expected.has(entry))) return;
  throw new StoreError(
    "damaged",
    `${file} does not have the tables of a ${kind.name}, or has others; ${kind.remedy}`,
  );
}

/** Lists the tables, indexes, views and triggers of a file, without SQLite's own statistics. */
function schemaOf(sqlite: Sqlite.Database): string[] {
  return sqlite
    .prepare<[], unknown[]>(
      `SELECT type, name, tbl_name, sql FROM sqlite_schema
       WHERE NOT (type = 'table' AND name IN ('sqlite_stat1', 'sqlite_stat4'))`,
    )
    .raw()
    .all()
    .map((entry) => JSON.stringify(entry));
}

/**
 * Returns the schema version of a file of a kind; 0 if it has never been written: it has no tables
 * and no program's mark.
 *
 * @throws {StoreError} as {@link ensureSchema} does, but not for an older version
 */
export function versionOf(sqlite: Sqlite.Database, file: string, kind: FileKind): number {
  const [id, version] = ["application_id", "user_version"].map(
    (mark) => sqlite.pragma(mark, { simple: true }) as number,
  ) as [number, number];
  const tables = sqlite.prepare("SELECT count(*) FROM sqlite_schema").pluck().get();
  if (id === 0 && version === 0 && tables === 0) return 0;
  if (id !== kind.applicationId) {
    throw new StoreError(
      "not-a-database",
      `${file} is another program's file, not a ${kind.name}; ${kind.remedy}`,
    );
  }
  if (version < 1) {
    throw new StoreError("damaged", `${file} has schema version ${version}; ${kind.remedy}`);
  }
  if (version > kind.migrations.length) {
    throw new StoreError(
      "other-version",
      `${file} was written by a newer version (schema ${version}; this is ${kind.migrations.length}); upgrade Gridlock, or ${kind.remedy}`,
    );
  }
  return version;
}
