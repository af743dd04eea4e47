import { BUCKET_ENTRIES, Journal, Kernel, RECORD_BYTES } from "@gridlock/kernel";
import { type BoundTable, Database, type NewBatch, SnapshotFile } from "@gridlock/store";
import {
  asBounds,
  COSTLY,
  minEffortOf,
  type SavedWork,
  type SnapshotWorkerData,
  snapshotIdentity,
} from "./snapshots.js";

/** Bytes of a batch at most: 65,536 entries. */
const BATCH_BYTES = 65_536 * RECORD_BYTES;
/** To read the whole table is worth it for as many new entries as are this part of its slots. */
const WORTH_READING = 1 / 8;

/**
 * Writes what a table's threads learn into a snapshot and a solution database. What the journal gives is
 * added batch by batch; when that has come to be as much as was there before, the whole table is read and takes
 * the place of all batches whose entries were in it, so that a file holds little twice.
 */
export class SnapshotWriter {
  readonly #data: SnapshotWorkerData;
  readonly #identity;
  readonly #journal: Journal;
  readonly #kernel: Kernel;
  readonly #database: Database;
  readonly #bounds: BoundTable;
  /** Made with the first batch. */
  #snapshot: SnapshotFile | undefined;
  /** Numbers of the batches all of which the table has taken or given. */
  #covered: readonly number[];
  /** Entries when the table was last loaded or written, and those from the journal since. */
  #base: number;
  #journaled = 0;
  readonly #worthReading: number;
  #pending: Uint8Array[] = [];
  #saved = { entries: 0, bounds: 0 };

  constructor(data: SnapshotWorkerData) {
    this.#data = data;
    this.#identity = snapshotIdentity(data.table.game);
    this.#journal = new Journal(data.table);
    this.#kernel = new Kernel(data.table, data.thread);
    this.#database = Database.open(data.databaseFile);
    this.#bounds = this.#database.bounds(data.table.game);
    this.#covered = data.loaded.ids;
    this.#base = data.loaded.entries;
    this.#worthReading = WORTH_READING * BUCKET_ENTRIES * data.table.buckets;
  }

  /** Takes out what is in the journal, which has room for about half a second of a fast search. */
  drain(): void {
    const records = this.#journal.drain();
    if (records.length === 0) return;
    this.#pending.push(records);
  }

  /** Writes what has been taken out. */
  save(): void {
    const parts = this.#pending;
    this.#pending = [];
    this.#saveBounds(parts);
    if (parts.length === 0) return;
    const { ids, entries } = this.#write(parts);
    this.#covered = [...this.#covered, ...ids];
    this.#saved.entries += entries;
    this.#journaled += entries;
    if (this.#journaled >= Math.max(this.#base, this.#worthReading)) this.#writeAnew();
  }

  /**
   * Saves what is left, and closes the files.
   *
   * @param skipNew make no snapshot if there is none yet, only save bounds
   */
  finish(skipNew: boolean): SavedWork {
    const skip = skipNew && this.#covered.length === 0;
    if (this.#data.every === 0) {
      this.#saveBounds(this.#kernel.records(COSTLY));
      if (!skip) {
        this.#writeAnew();
        this.#saved.entries = this.#base;
      }
    } else {
      this.drain();
      if (skip) this.#saveBounds(this.#pending);
      else this.save();
    }
    this.#snapshot?.close();
    this.#database.close();
    return { ...this.#saved, missed: this.#journal.missed };
  }

  /** The bounds that cost most go into the solution database, those of each part in one transaction. */
  #saveBounds(parts: Iterable<Uint8Array>): void {
    for (const part of parts) {
      const costly = this.#kernel.entriesOf(part, COSTLY);
      this.#bounds.merge(asBounds(this.#data.table.game, costly));
      this.#saved.bounds += costly.length;
    }
  }

  #open(): SnapshotFile {
    if (this.#snapshot === undefined) {
      this.#snapshot = SnapshotFile.open(this.#data.snapshotFile);
      this.#snapshot.expect(this.#identity);
    }
    return this.#snapshot;
  }

  /** Writes all that the table holds in the place of what it has taken or given. */
  #writeAnew(): void {
    const table = this.#kernel.records(minEffortOf(this.#data));
    const { ids, entries } = this.#write(table, this.#covered);
    this.#covered = ids;
    this.#base = entries;
    this.#journaled = 0;
  }

  /** Writes records as batches, and removes those with the numbers `old`. */
  #write(parts: Iterable<Uint8Array>, old: readonly number[] = []) {
    let entries = 0;
    const batches = function* (this: SnapshotWriter): Generator<NewBatch> {
      for (const part of grouped(parts)) {
        this.drain(); // the searches go on, and this may take longer than the journal has room
        const count = part.length / RECORD_BYTES;
        entries += count;
        yield { data: this.#kernel.pack(part), entries: count };
      }
    };
    const ids = this.#open().write(this.#identity, batches.call(this), old);
    return { ids, entries };
  }
}

/** Joins parts, or cuts them, into pieces as large as a batch may be. */
function* grouped(parts: Iterable<Uint8Array>): Generator<Uint8Array> {
  let piece = new Uint8Array(BATCH_BYTES);
  let length = 0;
  for (const part of parts) {
    for (let from = 0; from < part.length; ) {
      const taken = part.subarray(from, from + BATCH_BYTES - length);
      piece.set(taken, length);
      length += taken.length;
      from += taken.length;
      if (length < BATCH_BYTES) continue;
      yield piece;
      piece = new Uint8Array(BATCH_BYTES);
      length = 0;
    }
  }
  if (length > 0) yield piece.subarray(0, length);
}
