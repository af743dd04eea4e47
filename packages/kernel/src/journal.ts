import { instantiate } from "./module.js";
import { RECORD_BYTES } from "./records.js";
import type { SharedTable } from "./table.js";

/** One thread's ring of records, and the words that say how far it has been written and read. */
interface Ring {
  readonly records: Uint8Array;
  readonly effort: Int32Array;
  readonly written: Uint32Array;
  readonly read: Uint32Array;
  readonly missed: Uint32Array;
}

/**
 * What the threads of a table have lately learned at some cost, to be kept or passed on. A table has one
 * reader of its journal at a time.
 */
export class Journal {
  readonly #rings: readonly Ring[];
  readonly #capacity: number;

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

  /** From now on bounds that cost `minEffort` or more, 1 to 63, are written into the journal. */
  open(minEffort: number): void {
    for (const { effort } of this.#rings) Atomics.store(effort, 0, minEffort);
  }

  /**
   * Takes out what has been written since the last call: records, oldest first for each thread. A
   * thread's ring has room for 65,536; what finds no room is missed.
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
    const taken = joined(parts);
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

/** The parts one after the other. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
