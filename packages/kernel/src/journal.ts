import { instantiate } from "./module.js";
import { pickRecords, RECORD_BYTES } from "./records.js";
import type { SharedTable } from "./table.js";

/** One thread's ring of records, with its positions of writing and reading. */
interface Ring {
  readonly records: Uint8Array;
  readonly effort: Int32Array;
  readonly written: Uint32Array;
  readonly read: Uint32Array;
  readonly missed: Uint32Array;
  readonly reuseEffort: Int32Array;
  readonly announceAfter: Int32Array;
}

/** The readers of a journal: the keeper saves records, the sharer sends them to other machines. */
export type JournalReader = "keeper" | "sharer";
const READERS: readonly JournalReader[] = ["keeper", "sharer"];

/** The additional records that a journal takes for other machines. */
export interface SharedNews {
  /**
   * Effort, 2 to 63, that a cheaper entry gets, and is recorded with, the first time that it decides a
   * question; 0 records none of them.
   */
  readonly reuseEffort: number;
  /** Nodes expanded for a node under search before it is announced; 0 announces none. */
  readonly announceAfter: number;
}

/**
 * The costly bounds that the threads of a table have proven lately, to save or to send. Only one
 * journal at a time may drain the records of a reader.
 */
export class Journal {
  readonly #rings: readonly Ring[];
  readonly #capacity: number;
  readonly #reader: JournalReader;
  /** Memory for drained records, as large as the largest drain so far. */
  #taken: Uint8Array = new Uint8Array(0);

  constructor(table: SharedTable, reader: JournalReader) {
    const kernel = instantiate(table.game.shape, table.memory);
    const { buffer } = table.memory;
    const own = 4 * READERS.indexOf(reader);
    this.#reader = reader;
    this.#capacity = kernel.JOURNAL_RECORDS.value;
    this.#rings = Array.from({ length: table.threads }, (_, thread) => {
      const block = kernel.threadAt(thread) >>> 0;
      const at = kernel.journalAt(thread) >>> 0;
      return {
        records: new Uint8Array(buffer, at, this.#capacity * RECORD_BYTES),
        effort: new Int32Array(buffer, block + kernel.JOURNAL_EFFORT.value + own, 1),
        written: new Uint32Array(buffer, block + kernel.JOURNAL_WRITTEN.value, 1),
        read: new Uint32Array(buffer, block + kernel.JOURNAL_READ.value + own, 1),
        missed: new Uint32Array(buffer, block + kernel.JOURNAL_MISSED.value, 1),
        reuseEffort: new Int32Array(buffer, block + kernel.REUSE_EFFORT.value, 1),
        announceAfter: new Int32Array(buffer, block + kernel.ANNOUNCE_AFTER.value, 1),
      };
    });
  }

  /** Starts recording bounds of effort `minEffort` or more, 1 to 63, for this reader. */
  open(minEffort: number): void {
    for (const { effort, read, written } of this.#rings) {
      if (Atomics.load(effort, 0) === 0) Atomics.store(read, 0, Atomics.load(written, 0));
      Atomics.store(effort, 0, minEffort);
    }
  }

  /** Stops recording for this reader, and no longer keeps room for it. */
  close(): void {
    for (const { effort } of this.#rings) Atomics.store(effort, 0, 0);
  }

  /** Starts recording announcements, and cheap bounds that turn out useful. */
  share({ reuseEffort, announceAfter }: SharedNews): void {
    for (const ring of this.#rings) {
      Atomics.store(ring.reuseEffort, 0, reuseEffort);
      Atomics.store(ring.announceAfter, 0, announceAfter);
    }
  }

  /**
   * Returns this reader's records since the last call, oldest first for each thread; they are valid
   * until the next call. A thread's ring has room for 65,536 records; those beyond are missed.
   * Announcements, with the effort 0, are for the sharer alone.
   */
  drain(): Uint8Array {
    const ends = this.#rings.map(({ written }) => Atomics.load(written, 0));
    const parts = this.#rings.flatMap(({ records, read }, i) => {
      const begin = Atomics.load(read, 0);
      const count = ((ends[i] as number) - begin) >>> 0;
      const from = begin % this.#capacity;
      const ahead = Math.min(count, this.#capacity - from);
      return [
        records.subarray(from * RECORD_BYTES, (from + ahead) * RECORD_BYTES),
        records.subarray(0, (count - ahead) * RECORD_BYTES),
      ];
    });
    const least = Math.max(1, ...this.#rings.map(({ effort }) => Atomics.load(effort, 0)));
    const announcements = this.#reader === "sharer";
    const taken = pickRecords(parts, { least, announcements }, this.#taken);
    // At megabytes a second, allocating memory for each call would cost more than everything else here.
    if (taken.length > this.#taken.length) this.#taken = taken;
    // Only now may the threads overwrite these records.
    this.#rings.forEach(({ read }, i) => {
      Atomics.store(read, 0, ends[i] as number);
    });
    return taken;
  }

  /** The number of records that found no room since the table was created. */
  get missed(): number {
    return this.#rings.reduce((sum, { missed }) => sum + Atomics.load(missed, 0), 0);
  }
}
