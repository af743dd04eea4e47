import type Sqlite from "better-sqlite3";
import { StoreError } from "./errors.js";

/** A kind of SQLite file, and how it came to be as it is. */
export interface FileKind {
  readonly name: string;
  /** The command that makes such a file. */
  readonly maker: string;
  /** What the user can do when a file is no good. */
  readonly remedy: string;
  /** Marks the files of this kind. */
  readonly applicationId: number;
  /** Bytes of a page of a new file: large ones are faster where rows are large. */
  readonly pageBytes: number;
  /**
   * How a transaction is made whole. With a write-ahead log readers and the writer do not wait for each other, but
   * all is written twice; a rollback journal takes only what was there before, which is little when rows are added.
   */
  readonly journal: "WAL" | "TRUNCATE";
  /**
   * What brings a file from each version to the next; a new file runs them all. A migration is never
   * changed once released.
   */
  readonly migrations: readonly ((sqlite: Sqlite.Database) => void)[];
}

/**
 * Makes sure that an open file is of a kind and of its newest version, and with `write` makes it so: an
 * empty file gets the schema, an older file is migrated, each step whole or not at all.
 *
 * @throws {StoreError} `not-a-database` for another program's file, `other-version` for a newer one,
 *   or an older one that is only to be read.
 */
export function ensureSchema(
  sqlite: Sqlite.Database,
  file: string,
  kind: FileKind,
  write: boolean,
): void {
  const newest = kind.migrations.length;
  if (versionOf(sqlite, file, kind) === newest) return;
  if (!write) {
    const version = versionOf(sqlite, file, kind);
    throw new StoreError(
      "other-version",
      version === 0
        ? `${file} is empty; expected a ${kind.name} made by ${kind.maker}`
        : `${file} has schema version ${version} and this program reads ${newest}; ${kind.maker} migrates it`,
    );
  }
  sqlite
    .transaction(() => {
      // Looked up again under the write lock: another process may have been first.
      for (let version = versionOf(sqlite, file, kind); version < newest; version++) {
        kind.migrations[version]?.(sqlite);
      }
      sqlite.pragma(`application_id = ${kind.applicationId}`);
      sqlite.pragma(`user_version = ${newest}`);
    })
    .immediate();
}

/** The schema version of a file of a kind, 0 of an empty file. */
function versionOf(sqlite: Sqlite.Database, file: string, kind: FileKind): number {
  const id = sqlite.pragma("application_id", { simple: true }) as number;
  const version = sqlite.pragma("user_version", { simple: true }) as number;
  const tables = sqlite.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() as number;
  if (id === 0 && version === 0 && tables === 0) return 0;
  if (id !== kind.applicationId) {
    throw new StoreError(
      "not-a-database",
      `${file} is no ${kind.name} but another program's file; ${kind.remedy}`,
    );
  }
  if (version > kind.migrations.length) {
    throw new StoreError(
      "other-version",
      `${file} has schema version ${version} and this program knows up to ${kind.migrations.length}; use the newer program that made it, or ${kind.remedy}`,
    );
  }
  return version;
}
