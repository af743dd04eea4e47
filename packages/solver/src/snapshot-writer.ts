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
  SNAPSHOT_PARTS,
  SnapshotFile,
  StoreError,
} from "@gridlock/store";
import type { SavedWork, SnapshotWorkerData } from "./snapshots.js";
import { asBounds, COSTLY } from "./table-bounds.js";
import { snapshotIdentity } from "./warming.js";

/** Bytes of a batch at most: 65,536 entries. */
const BATCH_BYTES = 65_536 * RECORD_BYTES;
/** Batches from the journal that may wait to be written: of a minute or so. */
const MOST_PENDING = 1500;
/**
 * As many times its slots a table may be given entries, of parts and of news, which say things of one board again
 * and again, and still be taken to have kept what they say.
 */
const MOST_OVERFILLED = 4;
/** Entries of parts that are written anew for each entry of news. */
const WRITTEN_ANEW = 1 / 2;
/** A part is not worth reading for less news than would fill this of its slots. */
const WORTH_READING = 1 / 8;
/** The part of its time that the thread may take to write parts anew; the processors are the searches'. */
const SHARE_OF_TIME = 1 / 3;

/**
 * Writes what a table's threads learn into a snapshot and a solution database. What the journal gives is news, and
 * is added batch by batch. For each two entries that were added, one of the parts that were written longest ago is read
 * from the table and written anew; once all parts have been, the news from before are in them, and go. So a file holds
 * little more than three times the table, however often its runs are killed; and parts, which hold each board once and
 * side by side with its neighbours, load several times as fast as news.
 */
export class SnapshotWriter implements Disposable {
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
  /** The number of the last batch that is known. */
  #last: number;
  /** Whether the table has been given all batches up to that, so that it may take their place. */
  #coversAll: boolean;
  /** Fewest entries of news for which a part is written anew. */
  readonly #worthReading: number;
  /** Entries of parts that are due to be written anew. */
  #due = 0;
  /** What waits to be written. */
  #pending: NewBatch[] = [];
  #costly: TableEntry[] = [];
  #saved = { entries: 0, bounds: 0 };

  constructor(data: SnapshotWorkerData) {
    this.#data = data;
    this.#identity = snapshotIdentity(data.table.game);
    this.#journal = new Journal(data.table, "keeper");
    this.#kernel = new Kernel(data.table, data.thread);
    const { last, entries, inParts } = data.loaded;
    const slots = BUCKET_ENTRIES * data.table.buckets;
    this.#worthReading = (WORTH_READING * slots) / SNAPSHOT_PARTS;
    this.#last = last;
    // A table much smaller than that of the runs before has not kept all that it was given.
    this.#coversAll = inParts <= slots && entries <= MOST_OVERFILLED * slots;
    this.#hasFile = last > 0;
    this.#database = Database.open(data.databaseFile);
    try {
      this.#bounds = this.#database.bounds(data.table.game);
    } catch (error) {
      this.#database[Symbol.dispose]();
      throw error;
    }
  }

  /** Takes out what is in the journal, which has room for a tenth of a second of a fast search. */
  drain(): void {
    const records = this.#journal.drain();
    if (records.length === 0) return;
    this.#costly.push(...this.#kernel.records.entriesOf(records, COSTLY));
    // Packed while it is in the processor's cache.
    this.#pending.push({
      data: this.#kernel.records.pack(records),
      entries: records.length / RECORD_BYTES,
    });
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
    const entries = batches.reduce((sum, batch) => sum + batch.entries, 0);
    // A commit waits for the disk, and meanwhile the journal fills up: so there is one for all.
    const last = this.#last;
    try {
      this.#open().atOnce(() => {
        this.#wrote(this.#open().add(this.#identity, batches));
        if (this.#coversAll) this.#writeParts(WRITTEN_ANEW * entries);
      });
    } catch (error) {
      this.#last = last; // all of it has been taken back, and its numbers will be given again
      throw error;
    }
    this.#pending = this.#pending.slice(batches.length);
    this.#saved.entries += entries;
  }

  /** Writes so many entries more of the oldest parts anew, as far as there is time. */
  #writeParts(entries: number): void {
    this.#due += entries;
    const deadline = performance.now() + 1000 * this.#data.every * SHARE_OF_TIME;
    while (this.#due >= this.#worthReading && performance.now() < deadline) {
      const written = this.#writePart(this.#open().oldestPart());
      this.#due -= Math.max(written, this.#worthReading);
    }
  }

  /**
   * Saves what is left.
   *
   * @param skipNew make no snapshot if there is none yet, only save bounds
   */
  finish(skipNew: boolean): SavedWork {
    const skip = skipNew && !this.#hasFile;
    this.drain();
    if (this.#data.every === 0) {
      for (const entries of this.#kernel.records.entries(COSTLY)) this.#costly.push(...entries);
      if (!skip) this.#saved.entries = this.#writeAll();
    } else if (!skip) this.#save();
    this.#saveBounds();
    return { ...this.#saved, missed: this.#journal.missed };
  }

  /** Closes the files. */
  [Symbol.dispose](): void {
    using _database = this.#database;
    this.#snapshot?.[Symbol.dispose]();
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

  /** Writes all that the table holds; returns how many entries. */
  #writeAll(): number {
    let entries = 0;
    for (let part = 0; part < SNAPSHOT_PARTS; part++) entries += this.#writePart(part);
    return entries;
  }

  /**
   * Writes all that the table holds of a part: in the place of what the file has of it or, where that may be
   * more, as news. Returns how many entries.
   */
  #writePart(part: number): number {
    let count = 0;
    const counted = function* (this: SnapshotWriter): Generator<NewBatch> {
      for (const batch of this.#batchesOf(part)) {
        count += batch.entries;
        yield batch;
      }
    };
    const batches = counted.call(this);
    this.#wrote(
      this.#coversAll
        ? this.#open().writePart(this.#identity, part, this.#last, batches)
        : this.#open().add(this.#identity, batches),
    );
    return count;
  }

  /** All that the table holds of a part; one batch at least. */
  *#batchesOf(part: number): Generator<NewBatch> {
    const minEffort = effortOf(this.#data.effort);
    for (const records of grouped(this.#kernel.records.read(minEffort, part, SNAPSHOT_PARTS))) {
      this.drain(); // the searches go on, and all parts together take longer than the journal has room
      yield {
        data: this.#kernel.records.packInOrder(records),
        entries: records.length / RECORD_BYTES,
      };
    }
  }

  /** Notes the numbers of batches that were written: where others lie between, another solver writes too. */
  #wrote(ids: readonly number[]): void {
    this.#hasFile = true;
    for (const id of ids) {
      if (id !== this.#last + 1) this.#coversAll = false;
      this.#last = id;
    }
  }
}

/** Joins parts, or cuts them, into pieces as large as a batch may be; the last one may be empty. */
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
  yield piece.subarray(0, length);
}
