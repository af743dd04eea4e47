import { describeGame, type Game } from "@gridlock/game";
import { pathBeside } from "./beside.js";
import { quoted, StoreError } from "./errors.js";
import { isTime } from "./runs.js";
import {
  type BatchColumns,
  columnsOf,
  digestOf,
  type IdentityColumns,
  isAsWritten,
  isPart,
  SNAPSHOT,
  SNAPSHOT_PARTS,
  type SnapshotBatch,
  type SnapshotIdentity,
} from "./snapshot-schema.js";
import { MEMORY, type OpenOptions, SqliteFile, TEMPORARY } from "./sqlite-file.js";

/** The size and age of a snapshot. */
export interface SnapshotSummary {
  readonly entries: number;
  /** Bytes of the file, without its journal. */
  readonly bytes: number;
  readonly batches: number;
  /** Time of the last batch, ISO 8601, UTC. */
  readonly written: string;
}

/** A batch to write. */
export type NewBatch = Pick<SnapshotBatch, "entries" | "data">;

/**
 * Returns the file of a game's snapshot, beside the database: `x.3x3.snapshot` of `x.db`; a
 * temporary one if the database is in memory.
 */
export function snapshotFileOf(databaseFile: string, game: Game): string {
  if (databaseFile === MEMORY) return TEMPORARY;
  return pathBeside(databaseFile, game, "snapshot");
}

/**
 * Returns the file of a worker's snapshot of a game, beside its database: `x.3x3.claims` of `x.db`.
 * It contains what other workers have claimed, so that only workers may load it.
 */
export function claimsFileOf(databaseFile: string, game: Game): string {
  if (databaseFile === MEMORY) return TEMPORARY;
  return pathBeside(databaseFile, game, "claims");
}

/**
 * A snapshot of the costliest entries of a transposition table, in an SQLite file. Several
 * processes may add to it at the same time. All methods throw {@link StoreError}.
 */
export class SnapshotFile extends SqliteFile {
  /** Opens a snapshot; see {@link OpenOptions}. */
  static open(file: string, options: OpenOptions = {}): SnapshotFile {
    return new SnapshotFile(file, SNAPSHOT, options);
  }

  /**
   * Checks that the snapshot belongs to a game and a kernel. A writer gives a new snapshot this
   * identity; a reader accepts a new snapshot, since it has no batches.
   *
   * @throws {StoreError} `other-game` or `other-kernel` if it belongs to another.
   */
  expect(identity: SnapshotIdentity): void {
    const wanted = columnsOf(identity);
    const { shape, tiles, kernel } = wanted;
    if (!this.readOnly && this.#identity() === undefined) {
      this.run("INSERT OR IGNORE INTO identity VALUES (1, ?, ?, ?)", shape, tiles, kernel);
    }
    const found = this.#identity() ?? wanted;
    if (found.shape !== shape || found.tiles !== tiles) {
      throw new StoreError(
        "other-game",
        `${this.file} is a snapshot of ${quoted(found.shape)} with the tiles ${quoted(found.tiles)}; expected one of ${shape} with the tiles ${tiles}; ${SNAPSHOT.remedy}`,
      );
    }
    if (found.kernel !== kernel) {
      throw new StoreError(
        "other-kernel",
        `${this.file} was written by kernel ${quoted(found.kernel)} of ${describeGame(identity.game)}, and this is kernel ${kernel}; use the version that wrote it, or ${SNAPSHOT.remedy}, from the bounds in the database`,
      );
    }
  }

  #identity(): IdentityColumns | undefined {
    return this.get("SELECT shape, tiles, kernel FROM identity");
  }

  /**
   * Reads all batches: the parts in the order of their keys, then the news in the order of writing.
   *
   * @throws {StoreError} `damaged` if a batch does not match its digest.
   */
  *batches(identity: SnapshotIdentity): Generator<SnapshotBatch> {
    const [ids, find] = this.explained(() => [
      this.sqlite
        .prepare<[], number>("SELECT id FROM batch ORDER BY part IS NULL, part, id")
        .pluck()
        .all(),
      this.sqlite.prepare<[number], BatchColumns>("SELECT * FROM batch WHERE id = ?"),
    ]);
    for (const id of ids) {
      const batch = this.explained(() => find.get(id));
      if (batch === undefined) continue; // another solver has just replaced its part
      if (!isAsWritten(identity, batch)) {
        throw this.damaged(`its batch ${id} does not match its digest`);
      }
      const { part, entries, data } = batch;
      yield { id, part, entries, data };
    }
  }

  /**
   * Adds news in one transaction. Returns the numbers of the batches, which are consecutive with
   * the previous ones unless another solver adds to the file as well.
   */
  add(identity: SnapshotIdentity, batches: Iterable<NewBatch>): number[] {
    return this.atOnce(() => this.#insert(identity, batches, null, null));
  }

  /**
   * Replaces a part, and deletes the news that all parts now cover, in one transaction. Returns the
   * numbers of the new batches.
   *
   * @param batches every entry of the table that belongs to the part
   * @param covers the number of a batch; its entries, and those of all earlier batches, were in the
   *   table
   */
  writePart(
    identity: SnapshotIdentity,
    part: number,
    covers: number,
    batches: Iterable<NewBatch>,
  ): number[] {
    return this.atOnce(() => {
      const before = this.all<{ id: number }>("SELECT id FROM batch WHERE part = ?", part);
      const ids = this.#insert(identity, batches, part, covers);
      for (const { id } of before) this.run("DELETE FROM batch WHERE id = ?", id);
      this.run(`
        DELETE FROM batch
        WHERE part IS NULL
          AND id <= (SELECT min(covers) FROM batch WHERE part IS NOT NULL)
          AND (SELECT count(DISTINCT part) FROM batch) = ${SNAPSHOT_PARTS}
      `);
      return ids;
    });
  }

  #insert(
    identity: SnapshotIdentity,
    batches: Iterable<NewBatch>,
    part: number | null,
    covers: number | null,
  ): number[] {
    const insert = this.sqlite.prepare(
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

  /** Returns the part that has never been written, or was written longest ago. */
  oldestPart(): number {
    const covers = new Array<number>(SNAPSHOT_PARTS).fill(-1);
    const find =
      "SELECT part, min(covers) AS covers FROM batch WHERE part IS NOT NULL GROUP BY part";
    for (const row of this.all<{ part: number; covers: number }>(find)) {
      if (!isPart(row.part) || !Number.isSafeInteger(row.covers)) throw this.damaged();
      covers[row.part] = row.covers;
    }
    return covers.indexOf(Math.min(...covers));
  }

  /** Returns the size and age of the snapshot; `undefined` if it has no batches. */
  summary(): SnapshotSummary | undefined {
    const found = this.get(
      `SELECT count(*) AS batches, sum(entries) AS entries, max(written) AS written,
              (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size) AS bytes
       FROM batch`,
    ) as SnapshotSummary;
    if (found.batches === 0) return undefined;
    if (isTime(found.written) && Number.isInteger(found.entries) && found.entries >= 0)
      return found;
    throw this.damaged();
  }
}
