import { instantiate } from "./module.js";
import { RECORD_BYTES } from "./records.js";
import type { SharedTable } from "./table.js";

/** One thread's ring of records, with its positions for writing and reading. */
interface Ring {
  readonly records: Uint8Array;
  readonly effort: Int32Array;
  readonly written: Uint32Array;
  readonly read: Uint32Array;
  readonly missed: Uint32Array;
}

/**
 * The costly bounds that a table's threads have recently proven. Only one journal may drain them.
 */
export class Journal {
  readonly #rings: readonly Ring[];
  readonly #capacity: number;
  /** Memory for drained records, as large as the largest drain so far. */
  #drained: Uint8Array = new Uint8Array(0);

  constructor(table: SharedTable) {
    const kernel = instantiate(table.game.shape, table.memory);
    const { buffer } = table.memory;
    this.#capacity = kernel.JOURNAL_RECORDS.value;
    this.#rings = Array.from({ length: table.threads }, (_, thread) => {
      const block = kernel.threadAt(thread) >>> 0;
      const at = kernel.journalAt(thread) >>> 0;
      return {
        records: new Uint8Array(buffer, at, this.#capacity * RECORD_BYTES),
        effort: new Int32Array(buffer, block + kernel.JOURNAL_EFFORT.value, 1),
        written: new Uint32Array(buffer, block + kernel.JOURNAL_WRITTEN.value, 1),
        read: new Uint32Array(buffer, block + kernel.JOURNAL_READ.value, 1),
        missed: new Uint32Array(buffer, block + kernel.JOURNAL_MISSED.value, 1),
      };
    });
  }

  /** Starts recording bounds of effort `minEffort` or more, 1 to 63. */
  open(minEffort: number): void {
    for (const { effort } of this.#rings) Atomics.store(effort, 0, minEffort);
  }

  /**
   * Returns the records since the last call, oldest first for each thread; they are valid until the
   * next call. A thread's ring has room for 65,536 records; those beyond are missed.
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
    const bytes = parts.reduce((sum, part) => sum + part.length, 0);
    // At megabytes per second, allocating memory for each call would cost more than all the rest.
    if (bytes > this.#drained.length) this.#drained = new Uint8Array(bytes);
    let at = 0;
    for (const part of parts) {
      this.#drained.set(part, at);
      at += part.length;
    }
    // Only now may the threads overwrite these records.
    this.#rings.forEach(({ read }, i) => {
      Atomics.store(read, 0, ends[i] as number);
    });
    return this.#drained.subarray(0, bytes);
  }

  /** The number of records dropped for lack of room since the table was created. */
  get missed(): number {
    return this.#rings.reduce((sum, { missed }) => sum + Atomics.load(missed, 0), 0);
  }
}
