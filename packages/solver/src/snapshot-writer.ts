import { receiveMessageOnPort } from "node:worker_threads";
import { BUCKET_ENTRIES, Journal, Kernel, RECORD_BYTES, type TableEntry } from "@gridlock/kernel";
import {
  type BoundTable,
  BRIEF_MS,
  Database,
  type NewBatch,
  orDisposed,
  patiently,
  SNAPSHOT_PARTS,
  SnapshotFile,
  StoreError,
  type Waiting,
} from "@gridlock/store";
import { LEAST_EFFORT, type SavedWork, type SnapshotWorkerData } from "./snapshots.js";
import { asBounds, COSTLY } from "./table-bounds.js";
import { snapshotIdentity } from "./warming.js";

/** Most bytes of a batch: 65,536 entries. */
const BATCH_BYTES = 65_536 * RECORD_BYTES;
/** Most bytes of batches that may wait to be written: about a minute's worth of one thread. */
const MOST_PENDING_BYTES = 2 ** 29;
/**
 * Most loaded entries per slot for which the table is assumed to have kept their contents: parts
 * and news repeat the bounds of the same boards.
 */
const MOST_OVERFILLED = 4;
/** Entries of parts rewritten for each entry of news. */
const WRITTEN_ANEW = 1 / 2;
/** Fraction of a part's slots that the news must fill before the part is worth reading. */
const WORTH_READING = 1 / 8;
/**
 * Largest fraction of its time that the thread spends rewriting parts; the searches need the
 * processors.
 */
const SHARE_OF_TIME = 1 / 3;

/**
 * Writes the bounds that a table's threads prove into a snapshot and a solution database. Records
 * from the journal are *news*, added batch by batch. For every two entries of news, the writer
 * reads one entry of the oldest *parts* from the table and rewrites it; once all parts have been
 * rewritten, they contain the older news, which is deleted. So a file stays below little more than
 * three times the table, however often its runs are killed. Parts have each board once, beside its
 * neighbours, and load several times as fast as news.
 */
export class SnapshotWriter implements Disposable {
  readonly #data: SnapshotWorkerData;
  readonly #identity;
  readonly #journal: Journal;
  readonly #kernel: Kernel;
  readonly #database: Database;
  readonly #bounds: BoundTable;
  /** Created with the first batch. */
  #snapshot: SnapshotFile | undefined;
  /** The number of the last known batch. */
  #last: number;
  /** True if the table contains all batches up to that one, so that parts may replace them. */
  #coversAll: boolean;
  /** Fewest entries of news for which a part is rewritten. */
  readonly #worthReading: number;
  /** Entries of parts that are due to be rewritten. */
  #due = 0;
  /** Batches that wait to be written. */
  #pending: NewBatch[] = [];
  #pendingBytes = 0;
  #costly: TableEntry[] = [];
  #saved = { entries: 0, bounds: 0 };

  constructor(data: SnapshotWorkerData) {
    this.#data = data;
    this.#identity = snapshotIdentity(data.table.game);
    this.#journal = new Journal(data.table);
    this.#kernel = new Kernel(data.table, data.table.threads - 1);
    const { last, entries, inParts } = data.loaded;
    const slots = BUCKET_ENTRIES * data.table.buckets;
    this.#worthReading = (WORTH_READING * slots) / SNAPSHOT_PARTS;
    this.#last = last;
    // A table much smaller than those of earlier runs has not kept everything that was loaded.
    this.#coversAll = inParts <= slots && entries <= MOST_OVERFILLED * slots;
    data.news?.on("message", (batches: readonly NewBatch[]) => this.#add(batches));
    this.#database = Database.open(data.databaseFile, { patience: BRIEF_MS });
    this.#bounds = orDisposed(this.#database, () => this.#database.bounds(data.table.game));
  }

  /** Empties the journal, which a fast search fills in a tenth of a second. */
  drain(): void {
    if (this.#data.news) return; // another thread does
    const records = this.#journal.drain();
    if (records.length === 0) return;
    this.#costly.push(...this.#kernel.records.entriesOf(records, COSTLY));
    const entries = records.length / RECORD_BYTES;
    this.#add([{ data: this.#kernel.records.pack(records), entries }]);
  }

  #add(batches: readonly NewBatch[]): void {
    this.#pending.push(...batches);
    for (const { data } of batches) this.#pendingBytes += data.length;
  }

  /** Returns whether so much is waiting that it must be written now. */
  get isFull(): boolean {
    return this.#pendingBytes > MOST_PENDING_BYTES;
  }

  /** Writes everything that is waiting; if others have locked the files, it keeps waiting. */
  save(): void {
    try {
      this.#saveBounds();
      this.#saveNews();
    } catch (error) {
      if (!(error instanceof StoreError && error.code === "locked")) throw error;
    }
  }

  #saveNews(): void {
    const batches = [...this.#pending];
    if (batches.length === 0) return;
    const entries = batches.reduce((sum, batch) => sum + batch.entries, 0);
    // A commit waits for the disk while the journal fills up, so all batches share one commit.
    const last = this.#last;
    try {
      this.#open().atOnce(() => {
        this.#wrote(this.#open().add(this.#identity, batches));
        this.#writeParts(WRITTEN_ANEW * entries);
      });
    } catch (error) {
      this.#last = last; // everything was rolled back, so its numbers will be used again
      throw error;
    }
    this.#pending = this.#pending.slice(batches.length);
    this.#pendingBytes = this.#pending.reduce((sum, { data }) => sum + data.length, 0);
    this.#saved.entries += entries;
  }

  /** Rewrites this many more entries of the oldest parts, as far as time allows. */
  #writeParts(entries: number): void {
    this.#due += entries;
    const deadline = performance.now() + 1000 * this.#data.every * SHARE_OF_TIME;
    while (this.#coversAll && this.#due >= this.#worthReading && performance.now() < deadline) {
      const written = this.#writePart(this.#open().oldestPart());
      this.#due -= Math.max(written, this.#worthReading);
    }
  }

  /**
   * Saves everything that is left.
   *
   * @param boundsOnly save bounds in the solution database and do not change the snapshot
   */
  async finish(boundsOnly: boolean, waiting: Waiting): Promise<SavedWork> {
    const { databaseFile, snapshotFile, news } = this.#data;
    this.drain();
    const receive = () => news && receiveMessageOnPort(news);
    for (let last = receive(); last; last = receive()) this.#add(last.message);
    if (!boundsOnly) await patiently(snapshotFile, () => this.#saveNews(), waiting);
    await patiently(databaseFile, () => this.#saveBounds(), waiting);
    return { ...this.#saved, missed: this.#journal.missed };
  }

  /** Closes the files. */
  [Symbol.dispose](): void {
    using _database = this.#database;
    this.#snapshot?.[Symbol.dispose]();
  }

  /** Saves the bounds that cost most in the solution database, in one transaction. */
  #saveBounds(): void {
    this.#bounds.merge(asBounds(this.#data.table.game, this.#costly));
    this.#saved.bounds += this.#costly.length;
    this.#costly = [];
  }

  #open(): SnapshotFile {
    if (this.#snapshot === undefined) {
      this.#database.expectInPlace(); // a moved folder would be made again
      this.#snapshot = SnapshotFile.open(this.#data.snapshotFile, { patience: BRIEF_MS });
      this.#snapshot.expect(this.#identity);
    }
    return this.#snapshot;
  }

  /** Writes a part of the table in place of the file's version; returns the number of entries. */
  #writePart(part: number): number {
    let count = 0;
    const batches = this.#batchesOf(part, (entries) => {
      count += entries;
    });
    this.#wrote(this.#open().writePart(this.#identity, part, this.#last, batches));
    return count;
  }

  /** Yields the batches of a part; at least one. */
  *#batchesOf(part: number, onBatch: (entries: number) => void): Generator<NewBatch> {
    for (const records of grouped(this.#kernel.records.read(LEAST_EFFORT, part, SNAPSHOT_PARTS))) {
      this.drain(); // the searches continue, and the journal would overflow before all parts are read
      const entries = records.length / RECORD_BYTES;
      onBatch(entries);
      yield { data: this.#kernel.records.packInOrder(records), entries };
    }
  }

  /** Records the numbers of written batches: a gap means that another solver writes too. */
  #wrote(ids: readonly number[]): void {
    for (const id of ids) {
      if (id !== this.#last + 1) this.#coversAll = false;
      this.#last = id;
    }
  }
}

/** Joins or splits parts into pieces of a batch's size; the last piece may be empty. */
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
