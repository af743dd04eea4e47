import { type Bound, type PackedNode, packedFromBits } from "@gridlock/game";
import type { KernelExports } from "./module.js";
import { highParts, MOST_RECORD_BYTES, packRecords, RECORD_BYTES } from "./records.js";
import type { SharedTable } from "./table.js";

/** A bound of a node as a table stores it. `hi` is Infinity if no upper bound is known. */
export interface TableEntry extends PackedNode, Bound {
  /** About 2·log2 of the nodes that the bound cost to prove: 1 to 63. */
  readonly effort: number;
}

/** Most stretches of a table, up to 4 MiB each, that {@link TableRecords.unpack} fills in turn. */
const MOST_STRETCHES = 1024;
/** Least bytes of a batch in a stretch: those of some 500 records. */
const STRETCH_BYTES = 4608;
/** Bytes of a batch that are unpacked at a time. */
const UNPACKED_BYTES = 8192;

/** A batch of packed records, read up to byte `at`; `high` is the last read key's high part. */
interface Reader {
  readonly packed: Uint8Array;
  at: number;
  high: bigint;
}

/** Bytes of a record before its effort, and the highest effort (`records.ts`). */
const EFFORT_AT = 12;
const MOST_EFFORT = 63;

/** Returns the effort of a table entry that cost this many nodes, rounded as in `entry.ts`. */
export function effortOf(nodes: number): number {
  if (nodes < 2) return 1;
  const log2 = Math.floor(Math.log2(nodes));
  const half = Math.floor(nodes / 2 ** (log2 - 1)) % 2;
  return Math.min(MOST_EFFORT, 2 * log2 + half);
}

/**
 * Reads a table's entries as records (`records.ts`), and puts records into it. A record can be used
 * with any table of the same kernel version.
 */
export class TableRecords {
  readonly #kernel: KernelExports;
  readonly #thread: number;
  readonly #shards: number;
  /** Buckets of each shard, or of the whole table. */
  readonly #bucketsOfShard: number;
  /** The thread's own memory for exchanging records with the kernel. */
  readonly #transfer: Uint8Array;
  readonly #none: number;
  /** True if this shape's keys include whose turn it is; if not, all are afterstates. */
  readonly #keepsPositions: boolean;

  /** @param kernel attached to the table as its thread number `thread` */
  constructor(kernel: KernelExports, table: SharedTable, thread: number) {
    this.#kernel = kernel;
    this.#thread = thread;
    this.#shards = Math.max(1, table.shards.length);
    this.#bucketsOfShard = table.buckets / this.#shards;
    this.#transfer = new Uint8Array(
      table.memory.buffer,
      kernel.transferAt(thread) >>> 0,
      kernel.TRANSFER_RECORDS.value * RECORD_BYTES,
    );
    this.#none = kernel.NONE.value as number;
    this.#keepsPositions = Boolean(kernel.KEEPS_POSITIONS.value);
  }

  /**
   * Reads all entries of effort `minEffort` or more, thousands at a time, bucket by bucket: those
   * of the whole table, or of one of `parts` equal ranges of its keys, numbered from 0.
   */
  *read(minEffort: number, part = 0, parts = 1): Generator<Uint8Array> {
    const from = Math.floor((this.#bucketsOfShard * part) / parts);
    const end = Math.floor((this.#bucketsOfShard * (part + 1)) / parts);
    for (let shard = 0; shard < this.#shards; shard++) {
      for (let bucket = from; bucket < end; ) {
        const result = this.#kernel.read(this.#thread, shard, bucket, end, minEffort);
        bucket = Number(result >> 32n);
        yield this.#transfer.slice(0, Number(result & 0xffff_ffffn) * RECORD_BYTES);
      }
    }
  }

  /** Reads all entries of effort `minEffort` or more, thousands at a time. */
  *entries(minEffort: number): Generator<TableEntry[]> {
    for (const records of this.read(minEffort)) yield this.entriesOf(records);
  }

  /** Decodes records, except those of effort below `minEffort`. */
  entriesOf(records: Uint8Array, minEffort = 1): TableEntry[] {
    const view = new DataView(records.buffer, records.byteOffset, records.length);
    const entries: TableEntry[] = [];
    for (let at = 0; at < records.length; at += RECORD_BYTES) {
      const effort = view.getUint32(at + EFFORT_AT, true);
      if (effort < minEffort) continue;
      const key = this.#kernel.keyOfRecord(view.getBigUint64(at, true));
      const hi = view.getUint16(at + 10, true);
      entries.push({
        turn: this.#keepsPositions && (key & 1n) === 0n ? "slider" : "placer",
        board: packedFromBits(this.#kernel.boardOf(key)),
        lo: 4 * view.getUint16(at + 8, true),
        hi: hi === this.#none ? Number.POSITIVE_INFINITY : 4 * hi,
        effort,
      });
    }
    return entries;
  }

  /** Counts entries by their effort: those of the first of `parts` equal ranges of keys. */
  countByEffort(parts: number): number[] {
    const counts = new Array<number>(MOST_EFFORT + 1).fill(0);
    for (const records of this.read(1, 0, parts)) {
      const view = new DataView(records.buffer, records.byteOffset, records.length);
      for (let at = EFFORT_AT; at < records.length; at += RECORD_BYTES) {
        const effort = view.getUint32(at, true);
        counts[effort] = (counts[effort] as number) + 1;
      }
    }
    return counts;
  }

  /** Sorts records into the order of the table and packs them. */
  pack(records: Uint8Array): Uint8Array {
    return packRecords(records, this.#kernel.KEY_BITS.value);
  }

  /** Packs records that are already in the order of the table, such as those of {@link read}. */
  packInOrder(records: Uint8Array): Uint8Array {
    return packRecords(records);
  }

  /**
   * Puts batches of packed records into the table, and returns the number of records. It fills one
   * stretch of the table after another from all batches, which uses the processor's caches best.
   *
   * @throws {RangeError} if some bytes are not a packed record.
   */
  unpack(batches: readonly Uint8Array[]): number {
    const readers = batches.map((packed) => ({ packed, at: 0, high: 0n }));
    const highest = highParts(this.#kernel.KEY_BITS.value);
    const bytes = batches.reduce((sum, { length }) => sum + length, 0);
    const wanted = bytes / batches.length / STRETCH_BYTES;
    const stretches = Math.min(Math.max(1, Math.floor(wanted)), MOST_STRETCHES, highest);
    let count = 0;
    for (let stretch = 1; stretch <= stretches; stretch++) {
      const limit = BigInt(Math.ceil((highest * stretch) / stretches));
      for (const reader of readers) count += this.#unpackBelow(limit, reader);
    }
    const rest = readers.find(({ packed, at }) => at < packed.length);
    if (rest !== undefined) throw new RangeError(`there is no packed record at byte ${rest.at}`);
    return count;
  }

  /** Unpacks the next records of a batch, with high parts below `limit`; returns their number. */
  #unpackBelow(limit: bigint, reader: Reader): number {
    let count = 0;
    for (;;) {
      const some = reader.packed.subarray(reader.at, reader.at + UNPACKED_BYTES);
      this.#transfer.set(some);
      const records = this.#kernel.unpack(this.#thread, some.length, reader.high, limit);
      const read = this.#kernel.unpackedBytes.value;
      reader.at += read;
      reader.high = this.#kernel.unpackedHigh.value;
      count += records;
      if (some.length < UNPACKED_BYTES || read <= some.length - MOST_RECORD_BYTES) return count;
    }
  }
}
