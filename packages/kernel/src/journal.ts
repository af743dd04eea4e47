import { instantiate } from "./module.js";
import { pickRecords, RECORD_BYTES } from "./records.js";
import type { SharedTable } from "./table.js";

/** One thread's ring of records, and the words that say how far it has been written and read. */
interface Ring {
  readonly records: Uint8Array;
  readonly effort: Int32Array;
  readonly written: Uint32Array;
  readonly read: Uint32Array;
  readonly missed: Uint32Array;
  readonly reuseEffort: Int32Array;
  readonly announceAfter: Int32Array;
}

/** Who reads a journal: one keeps what was learned, one passes it on to other machines. */
export type JournalReader = "keeper" | "sharer";
const READERS: readonly JournalReader[] = ["keeper", "sharer"];

/** What else a journal takes for the sake of other machines. */
export interface SharedNews {
  /**
   * Effort, 2 to 63, that a cheaper entry is given, and written down with, the first time that it decides
   * something; 0: none is.
   */
  readonly reuseEffort: number;
  /** Nodes of work after which a node that is under search is announced; 0: none is. */
  readonly announceAfter: number;
}

/**
 * What the threads of a table have lately learned at some cost, to be kept or passed on. Each of its two readers
 * may be read at one place at a time.
 */
export class Journal {
  readonly #rings: readonly Ring[];
  readonly #capacity: number;
  readonly #reader: JournalReader;
  /** Room for what is taken out, as much as there has been at a time. */
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

  /** From now on bounds that cost `minEffort` or more, 1 to 63, are written into the journal for this reader. */
  open(minEffort: number): void {
    for (const { effort, read, written } of this.#rings) {
      if (Atomics.load(effort, 0) === 0) Atomics.store(read, 0, Atomics.load(written, 0));
      Atomics.store(effort, 0, minEffort);
    }
  }

  /** Nothing is written for this reader any more, nor is room kept for it. */
  close(): void {
    for (const { effort } of this.#rings) Atomics.store(effort, 0, 0);
  }

  /** From now on the journal takes announcements, and bounds that prove of use. */
  share({ reuseEffort, announceAfter }: SharedNews): void {
    for (const ring of this.#rings) {
      Atomics.store(ring.reuseEffort, 0, reuseEffort);
      Atomics.store(ring.announceAfter, 0, announceAfter);
    }
  }

  /**
   * Takes out what this reader takes of what has been written since the last call: records, oldest first for each
   * thread. They stand until the next call. A thread's ring has room for 65,536; what finds no room is missed.
   * Announcements, with the effort 0, are for the sharer.
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
    // Megabytes a second: to make room for each anew costs more than all else here.
    if (taken.length > this.#taken.length) this.#taken = taken;
    // Only now may the threads write over what has been read.
    this.#rings.forEach(({ read }, i) => {
      Atomics.store(read, 0, ends[i] as number);
    });
    return taken;
  }

  /** Records that found no room since the table was made. */
  get missed(): number {
    return this.#rings.reduce((sum, { missed }) => sum + Atomics.load(missed, 0), 0);
  }
}
