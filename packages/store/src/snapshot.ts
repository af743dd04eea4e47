import { createHash } from "node:crypto";
import { describeGame, formatShape, formatTiles, type Game, normalShape } from "@gridlock/game";
import type Sqlite from "better-sqlite3";
import { explained, StoreError } from "./errors.js";
import type { FileKind } from "./schema.js";
import { faultsOf, type OpenOptions, openSqlite, settleAndClose } from "./sqlite-file.js";

/** What entries are for: a game, and the version of the kernel that reads and writes them. */
export interface SnapshotIdentity {
  readonly game: Game;
  readonly kernel: string;
}

/** What a snapshot holds. */
export interface SnapshotSummary {
  readonly entries: number;
  /** Bytes of the file, with what is not yet checkpointed left out. */
  readonly bytes: number;
  readonly batches: number;
  /** When the last batch was written, ISO 8601, UTC. */
  readonly written: string;
}

/** A batch of entries. */
export interface SnapshotBatch {
  readonly id: number;
  readonly entries: number;
  /** As the kernel has them. */
  readonly data: Uint8Array;
}

/** A batch that is to be written. */
export type NewBatch = Omit<SnapshotBatch, "id">;

/**
 * Entries of a transposition table, in batches. Each batch has a digest over its bytes and over what they
 * are for, so that one that was damaged, or strayed into another game's file, is never taken for a proof.
 */
const SNAPSHOT: FileKind = {
  name: "table snapshot",
  maker: "gridlock solve",
  remedy: "delete it to go on without it",
  applicationId: 0x47524c53, // "GRLS"
  pageBytes: 32_768,
  journal: "TRUNCATE",
  migrations: [
    (sqlite) =>
      sqlite.exec(`
        CREATE TABLE identity (
          id INTEGER PRIMARY KEY CHECK (id = 1),
          shape TEXT NOT NULL,
          tiles TEXT NOT NULL,
          kernel TEXT NOT NULL
        ) STRICT;

        CREATE TABLE batch (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          written TEXT NOT NULL,
          entries INTEGER NOT NULL,
          digest BLOB NOT NULL,
          data BLOB NOT NULL
        ) STRICT;
      `),
  ],
};

/** Where the snapshot of a game is kept: beside the database, `x.3x3.snapshot` of `x.db`. */
export function snapshotFileOf(databaseFile: string, { shape, tiles }: Game): string {
  const suffix = tiles.length === 1 ? "-tiles-2" : "";
  const name = `${formatShape(normalShape(shape))}${suffix}`;
  return `${databaseFile.replace(/\.db$/, "")}.${name}.snapshot`;
}

/**
 * A snapshot of what a table has learned at some cost, in an SQLite file. Several processes may add to one
 * at the same time. All methods throw {@link StoreError}.
 */
export class SnapshotFile {
  readonly #sqlite: Sqlite.Database;

  private constructor(
    readonly file: string,
    readonly readOnly: boolean,
    sqlite: Sqlite.Database,
  ) {
    this.#sqlite = sqlite;
  }

  /** Opens a snapshot; see {@link OpenOptions}. */
  static open(file: string, options: OpenOptions = {}): SnapshotFile {
    return new SnapshotFile(file, options.readOnly === true, openSqlite(file, SNAPSHOT, options));
  }

  /**
   * Makes sure that the snapshot is for a game and a kernel; a new one is made so.
   *
   * @throws {StoreError} `other-game` or `other-kernel` when it is for another.
   */
  expect(identity: SnapshotIdentity): void {
    const { shape, tiles, kernel } = columnsOf(identity);
    this.#explained(() => {
      const find = this.#sqlite.prepare<[], IdentityColumns>(
        "SELECT shape, tiles, kernel FROM identity",
      );
      let found = find.get();
      if (found === undefined && !this.readOnly) {
        const insert = "INSERT OR IGNORE INTO identity VALUES (1, ?, ?, ?)";
        this.#sqlite.prepare(insert).run(shape, tiles, kernel);
        found = find.get();
      }
      if (found?.shape !== shape || found.tiles !== tiles) {
        throw new StoreError(
          "other-game",
          `${this.file} is a snapshot of ${found?.shape} with the tiles ${found?.tiles}; expected one of ${shape} with the tiles ${tiles}; ${SNAPSHOT.remedy}`,
        );
      }
      if (found.kernel !== kernel) {
        throw new StoreError(
          "other-kernel",
          `${this.file} was made by kernel ${found.kernel} of ${describeGame(identity.game)}, and this is kernel ${kernel}; use the version that made it, or ${SNAPSHOT.remedy} from what the database holds`,
        );
      }
    });
  }

  /**
   * All batches in the order in which they were written, each as it was written.
   *
   * @throws {StoreError} `damaged` when one is not.
   */
  *batches(identity: SnapshotIdentity): Generator<SnapshotBatch> {
    const next = this.#explained(() =>
      this.#sqlite.prepare<[number], BatchColumns>(
        "SELECT id, entries, digest, data FROM batch WHERE id > ? ORDER BY id LIMIT 1",
      ),
    );
    let last = 0;
    for (;;) {
      const batch = this.#explained(() => next.get(last));
      if (batch === undefined) return;
      const { id, entries, data } = batch;
      if (!isAsWritten(identity, batch)) {
        throw new StoreError(
          "damaged",
          `${this.file} is damaged: its batch ${id} is not what was written; ${SNAPSHOT.remedy}`,
        );
      }
      last = id;
      yield { id, entries, data };
    }
  }

  /**
   * Adds batches, and removes those with the numbers `old`: all of it or, on an error or a crash, nothing.
   * Returns the numbers of the new ones.
   */
  write(
    identity: SnapshotIdentity,
    batches: Iterable<NewBatch>,
    old: readonly number[] = [],
  ): number[] {
    return this.#explained(() => {
      const add = this.#sqlite.prepare(
        "INSERT INTO batch (written, entries, digest, data) VALUES (?, ?, ?, ?)",
      );
      const remove = this.#sqlite.prepare("DELETE FROM batch WHERE id = ?");
      const written = new Date().toISOString();
      return this.#sqlite
        .transaction(() => {
          const ids: number[] = [];
          for (const batch of batches) {
            const { entries, data } = batch;
            const digest = digestOf(identity, batch);
            const { lastInsertRowid } = add.run(written, entries, digest, data);
            ids.push(Number(lastInsertRowid));
          }
          for (const id of old) remove.run(id);
          return ids;
        })
        .immediate();
    });
  }

  /** What the snapshot holds; `undefined` when that is nothing. */
  summary(): SnapshotSummary | undefined {
    const found = this.#explained(
      () =>
        this.#sqlite
          .prepare(
            `SELECT count(*) AS batches, sum(entries) AS entries, max(written) AS written,
                    (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size) AS bytes
             FROM batch`,
          )
          .get() as SnapshotSummary,
    );
    if (found.batches === 0) return undefined;
    if (typeof found.written === "string" && Number.isInteger(found.entries)) return found;
    throw new StoreError("damaged", `${this.file} is damaged; ${SNAPSHOT.remedy}`);
  }

  /** Forgets all entries, whatever they were for. */
  clear(): void {
    this.#explained(() => {
      this.#sqlite.exec("BEGIN IMMEDIATE; DELETE FROM batch; DELETE FROM identity; COMMIT");
    });
  }

  /** What SQLite finds wrong with the file when it reads all of it: nothing if the file is whole. */
  faults(): string[] {
    return this.#explained(() => faultsOf(this.#sqlite));
  }

  /** Closes the file. The snapshot cannot be used afterwards. */
  close(): void {
    if (this.readOnly) this.#sqlite.close();
    else settleAndClose(this.#sqlite);
  }

  #explained<T>(action: () => T): T {
    return explained(this.file, SNAPSHOT.remedy, action);
  }
}

interface BatchColumns {
  readonly id: number;
  readonly entries: number;
  readonly digest: Uint8Array;
  readonly data: Uint8Array;
}

interface IdentityColumns {
  readonly shape: string;
  readonly tiles: string;
  readonly kernel: string;
}

function columnsOf({ game, kernel }: SnapshotIdentity): IdentityColumns {
  const { shape, tiles } = game;
  return { shape: formatShape(normalShape(shape)), tiles: formatTiles(tiles), kernel };
}

/** Whether a batch has its digest; where the file is damaged, either may be of any type. */
function isAsWritten(identity: SnapshotIdentity, { digest, ...batch }: BatchColumns): boolean {
  if (!(batch.data instanceof Uint8Array && digest instanceof Uint8Array)) return false;
  return digestOf(identity, batch).equals(digest);
}

function digestOf(
  identity: SnapshotIdentity,
  { entries, data }: Pick<SnapshotBatch, "entries" | "data">,
): Buffer {
  const { shape, tiles, kernel } = columnsOf(identity);
  return createHash("sha256")
    .update(`${shape} ${tiles} ${kernel} ${entries}\n`)
    .update(data)
    .digest();
}
