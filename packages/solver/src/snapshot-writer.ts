import {
  BUCKET_ENTRIES,
  effortOf,
  Journal,
  Kernel,
  RECORD_BYTES,
  type TableEntry,
} from "@gridlock/kernel";
import {
  type BoundTable,
  Database,
  type NewBatch,
  SnapshotFile,
  StoreError,
} from "@gridlock/store";
import {
  asBounds,
  COSTLY,
  type SavedWork,
  type SnapshotWorkerData,
  snapshotIdentity,
} from "./snapshots.js";

/** Bytes of a batch at most: 65,536 entries. */
const BATCH_BYTES = 65_536 * RECORD_BYTES;
/** Batches from the journal that may wait to be written: of a minute or so. */
const MOST_PENDING = 1500;
/**
 * A table gives at most one entry a slot when all is written anew, and before that is done again as many more may
 * come from journals: so many times its slots a table as large as the last one may be given.
 */
const MOST_OVERFILLED = 2;
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
  /** Whether there is something in the file. */
  #hasFile: boolean;
  /**
   * Numbers of the batches that were put into the table or come from it, which the whole table can take the
   * place of; `undefined` when it had no room for them.
   */
  #covered: readonly number[] | undefined;
  /** Entries in the file when the run began or all was last written anew, and those from the journal since. */
  #base: number;
  #journaled = 0;
  readonly #worthReading: number;
  /** What waits to be written. */
  #pending: NewBatch[] = [];
  #costly: TableEntry[] = [];
  #saved = { entries: 0, bounds: 0 };

  constructor(data: SnapshotWorkerData) {
    this.#data = data;
    this.#identity = snapshotIdentity(data.table.game);
    this.#journal = new Journal(data.table);
    this.#kernel = new Kernel(data.table, data.thread);
    this.#database = Database.open(data.databaseFile);
    this.#bounds = this.#database.bounds(data.table.game);
    const { ids, entries } = data.loaded;
    const slots = BUCKET_ENTRIES * data.table.buckets;
    this.#worthReading = WORTH_READING * slots;
    this.#base = entries;
    // In a table much smaller than that of the runs before, what is on the disk found no room.
    this.#covered = entries <= MOST_OVERFILLED * slots ? ids : undefined;
    this.#hasFile = ids.length > 0;
  }

  /** Takes out what is in the journal, which has room for a tenth of a second of a fast search. */
  drain(): void {
    const records = this.#journal.drain();
    if (records.length === 0) return;
    this.#costly.push(...this.#kernel.entriesOf(records, COSTLY));
    // Packed while it is in the processor's cache.
    this.#pending.push(this.#batchOf(records));
  }

  /** Whether so much waits to be written that it should not wait for its time. */
  get isFull(): boolean {
    return this.#pending.length > MOST_PENDING;
  }

  /** Writes what has been taken out; what cannot be written now, since others hold the files, later. */
  save(): void {
    try {
      this.#save();
    } catch (error) {
      if (!(error instanceof StoreError && error.code === "locked")) throw error;
    }
  }

  #save(): void {
    this.#saveBounds();
    const batches = [...this.#pending];
    if (batches.length === 0) return;
    const { ids, entries } = this.#write(batches);
    if (this.#covered) this.#covered = [...this.#covered, ...ids];
    this.#pending = this.#pending.slice(batches.length);
    this.#saved.entries += entries;
    this.#journaled += entries;
    if (this.#covered && this.#journaled >= Math.max(this.#base, this.#worthReading)) {
      this.#writeAnew();
    }
  }

  /**
   * Saves what is left, and closes the files.
   *
   * @param skipNew make no snapshot if there is none yet, only save bounds
   */
  finish(skipNew: boolean): SavedWork {
    const skip = skipNew && !this.#hasFile;
    this.drain();
    if (this.#data.every === 0) {
      for (const entries of this.#kernel.entries(COSTLY)) this.#costly.push(...entries);
      if (!skip) this.#saved.entries = this.#writeAnew();
    } else if (!skip) this.#save();
    this.#saveBounds();
    this.#snapshot?.close();
    this.#database.close();
    return { ...this.#saved, missed: this.#journal.missed };
  }

  /** The bounds that cost most go into the solution database, in one transaction. */
  #saveBounds(): void {
    this.#bounds.merge(asBounds(this.#data.table.game, this.#costly));
    this.#saved.bounds += this.#costly.length;
    this.#costly = [];
  }

  #open(): SnapshotFile {
    if (this.#snapshot === undefined) {
      this.#snapshot = SnapshotFile.open(this.#data.snapshotFile);
      this.#snapshot.expect(this.#identity);
    }
    return this.#snapshot;
  }

  /** Writes all that the table holds, in the place of the batches that it covers; returns how many entries. */
  #writeAnew(): number {
    const table = this.#kernel.records(effortOf(this.#data.effort));
    const batches = function* (this: SnapshotWriter): Generator<NewBatch> {
      for (const part of grouped(table)) {
        this.drain(); // the searches go on, and this takes longer than the journal has room
        yield this.#batchOf(part);
      }
    };
    const { ids, entries } = this.#write(batches.call(this), this.#covered);
    if (this.#covered) this.#covered = ids;
    this.#base = entries;
    this.#journaled = 0;
    return entries;
  }

  #batchOf(records: Uint8Array): NewBatch {
    return { data: this.#kernel.pack(records), entries: records.length / RECORD_BYTES };
  }

  /** Writes batches, and removes those with the numbers `old`. */
  #write(batches: Iterable<NewBatch>, old: readonly number[] = []) {
    let entries = 0;
    const counted = function* (): Generator<NewBatch> {
      for (const batch of batches) {
        entries += batch.entries;
        yield batch;
      }
    };
    const ids = this.#open().write(this.#identity, counted(), old);
    this.#hasFile = true;
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
