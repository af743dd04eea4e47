import { createHash } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
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

/** Parts, ranges of its keys, by which a table is written as a whole. */
export const SNAPSHOT_PARTS = 256;

/** A batch of entries. */
export interface SnapshotBatch {
  readonly id: number;
  /** The part that it is of, 0 to {@link SNAPSHOT_PARTS} − 1; null for news. */
  readonly part: number | null;
  readonly entries: number;
  /** As the kernel has them. */
  readonly data: Uint8Array;
}

/** A batch that is to be written. */
export type NewBatch = Pick<SnapshotBatch, "entries" | "data">;

/**
 * Entries of a transposition table, in batches. Each batch has a digest over its bytes and over what they
 * are for, so that one that was damaged, or strayed into another game's file, is never taken for a proof.
 *
 * Batches of *news* have no part. Those of a part hold all that the table had of it, also what came from news:
 * of all batches up to the number `covers`. What all parts cover is not needed any more.
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
    (sqlite) =>
      sqlite.exec(`
        ALTER TABLE batch ADD COLUMN part INTEGER;
        ALTER TABLE batch ADD COLUMN covers INTEGER;
        CREATE INDEX batch_part ON batch (part, covers, entries);
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
   * All batches, each as it was written: the parts in the order of their keys, then the news in the order in which
   * they were written.
   *
   * @throws {StoreError} `damaged` when one is not.
   */
  *batches(identity: SnapshotIdentity): Generator<SnapshotBatch> {
    const [ids, find] = this.#explained(() => [
      this.#sqlite
        .prepare<[], number>("SELECT id FROM batch ORDER BY part IS NULL, part, id")
        .pluck()
        .all(),
      this.#sqlite.prepare<[number], BatchColumns>("SELECT * FROM batch WHERE id = ?"),
    ]);
    for (const id of ids) {
      const batch = this.#explained(() => find.get(id));
      if (batch === undefined) continue; // another solver has just written its part anew
      if (!isAsWritten(identity, batch)) {
        throw new StoreError(
          "damaged",
          `${this.file} is damaged: its batch ${id} is not what was written; ${SNAPSHOT.remedy}`,
        );
      }
      const { part, entries, data } = batch;
      yield { id, part, entries, data };
    }
  }

  /** What some calls write, in one transaction: all of it or, on an error or a crash, nothing. */
  atOnce(calls: () => void): void {
    this.#explained(() => this.#sqlite.transaction(calls).immediate());
  }

  /**
   * Adds news: all of it or, on an error or a crash, nothing. Returns the numbers of the batches, which follow on
   * the last one's unless another solver adds to the file as well.
   */
  add(identity: SnapshotIdentity, batches: Iterable<NewBatch>): number[] {
    return this.#explained(() =>
      this.#sqlite.transaction(() => this.#insert(identity, batches, null, null)).immediate(),
    );
  }

  /**
   * Writes a part anew, and removes the news that all parts now cover: all of it or, on an error or a crash,
   * nothing. Returns the numbers of the new batches.
   *
   * @param batches all that the table has of the part
   * @param covers the number of a batch: what this one and all before it hold was in the table
   */
  writePart(
    identity: SnapshotIdentity,
    part: number,
    covers: number,
    batches: Iterable<NewBatch>,
  ): number[] {
    return this.#explained(() => {
      const old = this.#sqlite
        .prepare<[number], number>("SELECT id FROM batch WHERE part = ?")
        .pluck();
      const remove = this.#sqlite.prepare("DELETE FROM batch WHERE id = ?");
      const prune = this.#sqlite.prepare(`
        DELETE FROM batch
        WHERE part IS NULL
          AND id <= (SELECT min(covers) FROM batch WHERE part IS NOT NULL)
          AND (SELECT count(DISTINCT part) FROM batch) = ${SNAPSHOT_PARTS}
      `);
      return this.#sqlite
        .transaction(() => {
          const before = old.all(part);
          const ids = this.#insert(identity, batches, part, covers);
          for (const id of before) remove.run(id);
          prune.run();
          return ids;
        })
        .immediate();
    });
  }

  #insert(
    identity: SnapshotIdentity,
    batches: Iterable<NewBatch>,
    part: number | null,
    covers: number | null,
  ): number[] {
    const insert = this.#sqlite.prepare(
      "INSERT INTO batch (written, entries, digest, data, part, covers) VALUES (?, ?, ?, ?, ?, ?)",
    );
    const written = new Date().toISOString();
    const ids: number[] = [];
    for (const { entries, data } of batches) {
      const digest = digestOf(identity, { entries, data, part, covers });
      const { lastInsertRowid } = insert.run(written, entries, digest, data, part, covers);
      ids.push(Number(lastInsertRowid));
    }
    return ids;
  }

  /** The part that was written longest ago, or never. */
  oldestPart(): number {
    const covers = new Array<number>(SNAPSHOT_PARTS).fill(-1);
    const find =
      "SELECT part, min(covers) AS covers FROM batch WHERE part IS NOT NULL GROUP BY part";
    for (const row of this.#explained(() => this.#sqlite.prepare<[], PartColumns>(find).all())) {
      covers[row.part] = row.covers;
    }
    return covers.indexOf(Math.min(...covers));
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

/**
 * Empties the snapshot in a file, if there is one; a file that is no snapshot, or a damaged one, is removed.
 *
 * @throws {StoreError} `locked` when others are writing to it.
 */
export function clearSnapshot(file: string): void {
  if (!existsSync(file)) return;
  try {
    const snapshot = SnapshotFile.open(file);
    try {
      snapshot.clear();
    } finally {
      snapshot.close();
    }
  } catch (error) {
    if (!(error instanceof StoreError) || error.code === "locked") throw error;
    for (const suffix of ["", "-wal", "-shm", "-journal"]) {
      rmSync(`${file}${suffix}`, { force: true });
    }
  }
}

interface BatchColumns extends SnapshotBatch {
  readonly digest: Uint8Array;
  readonly covers: number | null;
}

interface PartColumns {
  readonly part: number;
  readonly covers: number;
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
  { entries, data, part, covers }: Omit<BatchColumns, "id" | "digest">,
): Buffer {
  const { shape, tiles, kernel } = columnsOf(identity);
  const place = part === null ? "" : ` ${part} ${covers}`;
  return createHash("sha256")
    .update(`${shape} ${tiles} ${kernel} ${entries}${place}\n`)
    .update(data)
    .digest();
}
