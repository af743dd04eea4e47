import {
  type Bound,
  type PackedBoard,
  type PackedNode,
  packedFromBits,
  UNKNOWN,
} from "@gridlock/game";
import { instantiate, type KernelExports } from "./module.js";
import { highParts, inTableOrder, packRecords, RECORD_BYTES, RecordReader } from "./records.js";
import type { SharedTable } from "./table.js";

/** A bound that was read out of a table, or is to be put back. `hi` is Infinity when none is known. */
export interface TableEntry extends PackedNode, Bound {
  /** About 2·log2 of the nodes that the bound has cost: 1 to 63. */
  readonly effort: number;
}

/** How a thread searches. */
export interface SearchOptions {
  /**
   * Whether other threads, here or on other machines, search the same questions at the same time; this one then
   * leaves to them what they have begun, as far as it can.
   */
  readonly together?: boolean;
  /** For a confirmation: does without what is known of a board without search. */
  readonly withoutBound?: boolean;
  /** For a confirmation: takes children in another order. */
  readonly otherOrder?: boolean;
}

/** Stretches of a table that {@link Kernel.unpack} fills one after another: of 4 MiB at most. */
const STRETCHES = 1024;

/** Megabytes of stack of a thread that searches: the search recurses twice a placement, 8,190 at most. */
export const STACK_MB = 32;

/** How many nodes a thread has expanded. */
export interface NodeCounts {
  readonly positions: number;
  readonly afterstates: number;
}

/** Effort, as table entries count it, of so many nodes: twice the logarithm, halves rounded as in `entry.ts`. */
export function effortOf(nodes: number): number {
  if (nodes < 2) return 1;
  const log2 = Math.floor(Math.log2(nodes));
  const half = Math.floor(nodes / 2 ** (log2 - 1)) % 2;
  return Math.min(63, 2 * log2 + half);
}

/**
 * One thread's search over a shared table. Values are in points here, and in quarters of points
 * inside. A method blocks until it is done; to stop a search from outside use {@link requestStop}.
 */
export class Kernel {
  readonly #kernel: KernelExports;
  readonly #table: SharedTable;
  readonly #thread: number;
  /** Exponents of the tiles that the placer may place, a bit each. */
  readonly #tiles: number;
  readonly #none: number;
  /** Whether the keys of this shape's table say whose turn it is; else all are afterstates. */
  readonly #keepsPositions: boolean;
  readonly #transfer: Uint8Array;
  /** Buckets of each shard, or of all the table. */
  readonly #bucketsOfShard: number;

  /**
   * Attaches to a table as its thread number `thread`, which no other kernel may be.
   *
   * @throws {RangeError} when the table has no such thread.
   */
  constructor(
    table: SharedTable,
    thread: number,
    { together = false, withoutBound = false, otherOrder = false }: SearchOptions = {},
  ) {
    if (!(Number.isInteger(thread) && thread >= 0 && thread < table.threads)) {
      throw new RangeError(`thread ${thread} of a table for ${table.threads} threads`);
    }
    this.#table = table;
    this.#thread = thread;
    this.#kernel = instantiate(table.game.shape, table.memory, table.shards);
    this.#tiles = table.game.tiles.reduce((bits, tile) => bits | (1 << Math.log2(tile)), 0);
    this.#bucketsOfShard = table.buckets / Math.max(1, table.shards.length);
    this.#kernel.attach(
      ...([thread, table.threads, this.#bucketsOfShard, table.shards.length] as const),
      ...([this.#tiles, together, withoutBound, otherOrder] as const),
    );
    this.#none = this.#kernel.NONE.value as number;
    this.#keepsPositions = Boolean(this.#kernel.KEEPS_POSITIONS.value);
    this.#transfer = new Uint8Array(
      table.memory.buffer,
      this.#kernel.transferAt(thread) >>> 0,
      this.#kernel.TRANSFER_RECORDS.value * RECORD_BYTES,
    );
  }

  /** The highest threshold that can be asked, in points. */
  get highestThreshold(): number {
    return 4 * (this.#none - 1);
  }

  /** The packed canonical form of a packed board of normal shape. */
  canonical(board: PackedBoard): PackedBoard {
    return packedFromBits(this.#kernel.canonical(board));
  }

  /**
   * Is h ≥ threshold? Searches at most `budget` more nodes and returns what is then proven of the
   * node's board, which must be canonical: a bound with `lo ≥ threshold` or `hi < threshold`, or
   * `undefined` when it was stopped before it had an answer, or went deeper than the thread's stack
   * allows. The table keeps what was found either way.
   *
   * @param tieSeed below 2^64; unless it is 0, ties are broken in a way of its own, for machines that search together
   */
  ask(
    node: PackedNode,
    threshold: number,
    budget = Number.MAX_SAFE_INTEGER,
    tieSeed = 0n,
  ): Bound | undefined {
    const quarter = Math.ceil(threshold / 4);
    if (quarter <= 0) return UNKNOWN;
    if (threshold > this.highestThreshold) {
      throw new RangeError(
        `the threshold ${threshold} is too high; this table goes up to ${this.highestThreshold}`,
      );
    }
    const answer = this.#search(node, quarter, BigInt(Math.floor(budget)), tieSeed);
    if (answer < 0) return undefined;
    if (answer >= quarter) return { lo: 4 * answer, hi: Number.POSITIVE_INFINITY };
    return { lo: 0, hi: 4 * answer };
  }

  /** Points that the slider surely gets from a canonical afterstate: a lower bound, found without search. */
  surelyEarned(afterstate: PackedBoard): number {
    return 4 * this.#kernel.earned(afterstate, this.#tiles);
  }

  /** Whether the placer ends the game at once after a canonical afterstate: then it is worth nothing; found without search. */
  endsNext(afterstate: PackedBoard): boolean {
    return Boolean(this.#kernel.ends(afterstate, this.#tiles));
  }

  /** The kernel's answer in quarters; negative if it was stopped, or the thread's stack is too small. */
  #search({ board, turn }: PackedNode, quarter: number, budget: bigint, tieSeed: bigint): number {
    try {
      return this.#kernel.ask(board, turn === "placer", quarter, budget, tieSeed);
    } catch (error) {
      // The search recurses as deep as the game is long; what was found on the way is in the table.
      if (error instanceof RangeError) return -1;
      throw error;
    }
  }

  /** What the table knows of a node; `hi` is Infinity when it knows none. */
  look(node: PackedNode): Bound {
    const both = this.#kernel.look(node.board, node.turn === "placer");
    const hi = both >>> 16;
    return { lo: 4 * (both & 0xffff), hi: hi === this.#none ? Number.POSITIVE_INFINITY : 4 * hi };
  }

  /** Puts a proven bound into the table; those of positions of 16 cells find no place there. */
  learn({ turn, board, lo, hi, effort }: TableEntry): void {
    const quarterHi = Math.min(Math.floor(hi / 4), this.#none);
    this.#kernel.learn(board, turn === "placer", Math.ceil(lo / 4), quarterHi, effort);
  }

  /**
   * Reads out all entries that have cost `minEffort` or more as records (`records.ts`), some thousands at a
   * time, bucket by bucket: of the whole table or of one of some parts of its keys, the first of which is part 0.
   */
  *records(minEffort: number, part = 0, parts = 1): Generator<Uint8Array> {
    const from = Math.floor((this.#bucketsOfShard * part) / parts);
    const end = Math.floor((this.#bucketsOfShard * (part + 1)) / parts);
    for (let shard = 0; shard < Math.max(1, this.#table.shards.length); shard++) {
      for (let bucket = from; bucket < end; ) {
        const result = this.#kernel.read(this.#thread, shard, bucket, end, minEffort);
        bucket = Number(result >> 32n);
        yield this.#transfer.slice(0, Number(result & 0xffff_ffffn) * RECORD_BYTES);
      }
    }
  }

  /**
   * Records in the form in which they are kept: in the table's order, and packed.
   *
   * @param room where they are put if there is room for all
   */
  pack(records: Uint8Array, room?: Uint8Array): Uint8Array {
    return packRecords(records, this.#kernel.KEY_BITS.value, room);
  }

  /** The same for records that are in the table's order, as those that were read from it are. */
  packInOrder(records: Uint8Array): Uint8Array {
    return packRecords(records);
  }

  /**
   * Puts packed records that a kernel of the same version has given into the table: of all batches together
   * those of one stretch of the table after another, since memory is fastest so.
   */
  unpack(batches: readonly Uint8Array[]): void {
    const readers = batches.map((batch) => new RecordReader(batch));
    const highest = highParts(this.#kernel.KEY_BITS.value);
    const stretches = Math.min(STRETCHES, highest);
    for (let stretch = 1; stretch <= stretches; stretch++) {
      const limit = Math.ceil((highest * stretch) / stretches);
      for (const reader of readers) {
        let bytes: number;
        do {
          bytes = reader.read(this.#transfer, limit);
          this.#kernel.write(this.#thread, bytes / RECORD_BYTES, false);
        } while (bytes === this.#transfer.length);
      }
    }
  }

  /**
   * Puts packed records from another machine into the table, and marks the nodes that they announce. What cannot be
   * true is left out. Returns how many records there were, and how many of them were refused.
   *
   * @throws {RangeError} when there is something else among them; what comes before it has been taken.
   */
  unpackForeign(batch: Uint8Array): { records: number; refused: number } {
    const reader = new RecordReader(batch);
    let records = 0;
    let refused = 0;
    for (;;) {
      const count = reader.read(this.#transfer, Number.POSITIVE_INFINITY) / RECORD_BYTES;
      if (count === 0) return { records, refused };
      records += count;
      refused += this.#kernel.write(this.#thread, count, true);
    }
  }

  /** Records in the order of the table, in which they are put into it fastest. */
  inOrder(records: Uint8Array): Uint8Array {
    return inTableOrder(records, this.#kernel.KEY_BITS.value);
  }

  /** Puts records that a kernel of the same version has given into the table, and marks the nodes that they announce. */
  put(records: Uint8Array): void {
    for (let at = 0; at < records.length; at += this.#transfer.length) {
      const some = records.subarray(at, at + this.#transfer.length);
      this.#transfer.set(some);
      this.#kernel.write(this.#thread, some.length / RECORD_BYTES, false);
    }
  }

  /** What records say, those left out that have cost less than `minEffort`. */
  entriesOf(records: Uint8Array, minEffort = 1): TableEntry[] {
    const view = new DataView(records.buffer, records.byteOffset, records.length);
    const entries: TableEntry[] = [];
    for (let at = 0; at < records.length; at += RECORD_BYTES) {
      const effort = view.getUint32(at + 12, true);
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

  /** Reads out all entries that have cost `minEffort` or more, some thousands at a time. */
  *entries(minEffort: number): Generator<TableEntry[]> {
    for (const records of this.records(minEffort)) yield this.entriesOf(records);
  }
}

/** A look at the threads of a table from any thread: what they have done, and a way to stop them. */
export class ThreadMonitor {
  readonly #stops: Int32Array[];
  readonly #counts: BigUint64Array[];

  constructor(table: SharedTable) {
    const kernel = instantiate(table.game.shape, table.memory);
    const { buffer } = table.memory;
    const blocks = Array.from({ length: table.threads }, (_, i) => kernel.threadAt(i) >>> 0);
    this.#stops = blocks.map((at) => new Int32Array(buffer, at + kernel.STOP.value, 1));
    this.#counts = blocks.map((at) => new BigUint64Array(buffer, at + kernel.POSITIONS.value, 2));
  }

  /** Nodes expanded by all threads since they attached, up to date to a few hundred each. */
  counts(): NodeCounts {
    let positions = 0;
    let afterstates = 0;
    for (let thread = 0; thread < this.#counts.length; thread++) {
      const counts = this.countsOf(thread);
      positions += counts.positions;
      afterstates += counts.afterstates;
    }
    return { positions, afterstates };
  }

  /** Nodes expanded by one thread since it attached, up to date to a few hundred. */
  countsOf(thread: number): NodeCounts {
    const counts = this.#counts[thread] as BigUint64Array;
    return {
      positions: Number(Atomics.load(counts, 0)),
      afterstates: Number(Atomics.load(counts, 1)),
    };
  }

  /** Makes every search under way return within a few hundred nodes; `false` lets them run again. */
  requestStop(stop = true): void {
    for (const word of this.#stops) Atomics.store(word, 0, stop ? 1 : 0);
  }
}
