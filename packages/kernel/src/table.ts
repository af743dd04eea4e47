import { cellCount, formatShape, type Game, normalShape } from "@gridlock/game";
import { type KernelSizes, kernelFiles } from "./files.js";
import { hasKernel, instantiate, KERNEL_LIMITS } from "./module.js";

/**
 * A transposition table, with room for the threads that search with it. It is plain data that
 * `postMessage` and `workerData` pass to other threads; all share the same memory. A table that was
 * made without shared memory stays in its thread.
 */
export interface SharedTable {
  readonly game: Game;
  /** The threads' areas and, if one memory is large enough, the table. */
  readonly memory: WebAssembly.Memory;
  /** The memories of a table, each with equally many buckets; a small table has a single memory. */
  readonly shards: readonly WebAssembly.Memory[];
  /** Number of threads that may attach, numbered from 0. */
  readonly threads: number;
  /** Number of buckets of {@link BUCKET_ENTRIES} 8-byte entries, or one fewer in a small table. */
  readonly buckets: number;
}

/** Entries per bucket. */
export const BUCKET_ENTRIES = 4;

/** The limits of a table's memory, in bytes, including the memory of its threads. */
export interface TableLimits {
  /** The memory of the threads alone. */
  readonly threads: number;
  /**
   * The least memory with which the keys are exact. On large shapes a single thread needs far less
   * than several: with few buckets, an entry takes two words, which it alone may write.
   */
  readonly least: number;
  /** The most memory that can be used. */
  readonly most: number;
}

const PAGE_BYTES = 65_536;
/** Maximum size of a WebAssembly memory: 4 GiB. */
const MAX_PAGES = 65_536;

/** @throws {RangeError} if there is no kernel for the shape */
function measure({ shape }: Game): KernelSizes {
  if (!hasKernel(shape)) {
    throw new RangeError(`there is no kernel for ${formatShape(shape)}; ${KERNEL_LIMITS}`);
  }
  return kernelFiles.sizes(formatShape(normalShape(shape)));
}

/** Returns the limits of the memory of a game's table for a number of threads. */
export function tableLimits(game: Game, threads: number): TableLimits {
  const sizes = measure(game);
  const around = tableAt(sizes, threads);
  return {
    threads: around,
    least:
      around +
      sizes.bucketBytes * 2 ** (threads === 1 ? sizes.smallMinBucketsLog2 : sizes.minBucketsLog2),
    most: around + sizes.bucketBytes * 2 ** sizes.maxBucketsLog2,
  };
}

/** Returns the address of a table in the memory of a number of threads. */
function tableAt({ threadsAt, threadBytes }: KernelSizes, threads: number): number {
  return threadsAt + threads * threadBytes;
}

/** Special options of a table. */
export interface TableOptions {
  /** Bytes of the largest memory to allocate: a table that needs more has several. */
  readonly largest?: number;
  /**
   * A tile, 8 or larger, as the slider's goal: a board is then worth 4 for each time that the
   * slider can force this tile, and nothing else. Until then, each cell holds at most half of the
   * tile and each placement adds 2 or more, which limits the placements that a search needs room
   * for.
   */
  readonly goal?: number;
  /**
   * False for a table in a memory that is not shared, for where there is no shared memory, as on
   * many web pages. It has one memory alone: bytes beyond `largest` are not used. Default: true.
   */
  readonly shared?: boolean;
}

/**
 * Creates an empty table of about `bytes` bytes, including the memory of its threads, or smaller if
 * it cannot use that many. Memory that is never touched is never taken from the system. A small
 * table, of one thread and fewer bytes than several would need, stays in the calling thread.
 *
 * @throws {RangeError} if there is no kernel for the shape, if `bytes` is less than the shape's
 *   exact keys need, or if the system has too little memory.
 */
export function createTable(
  game: Game,
  bytes: number,
  threads: number,
  { largest = MAX_PAGES * PAGE_BYTES, goal = 0, shared = true }: TableOptions = {},
): SharedTable {
  const sizes = measure(game);
  const { threads: around, least, most } = tableLimits(game, threads);
  if (!(bytes >= least)) {
    throw new RangeError(`a table of ${bytes} bytes is too small; expected at least ${least}`);
  }
  expectNearGoal(sizes, game, goal);
  const { bucketBytes, minBucketsLog2 } = sizes;
  const useful = Math.min(bytes, most, shared ? most : largest);
  const isSmall = bytes < around + bucketBytes * 2 ** minBucketsLog2;
  const { memories, buckets } = isSmall
    ? { memories: 1, buckets: Math.floor((bytes - around) / bucketBytes) }
    : divide(sizes, useful - around, around, largest);
  const isWhole = memories === 1 && !isSmall;
  const memory = allocate(isWhole ? around + buckets * bucketBytes : around, shared);
  instantiate(game.shape, memory).prepare(goal === 0 ? 0 : Math.log2(goal));
  return {
    game: { ...game, shape: normalShape(game.shape) },
    memory,
    shards: isWhole
      ? []
      : Array.from({ length: memories }, () => allocate(buckets * bucketBytes, !isSmall)),
    threads,
    buckets: memories * buckets,
  };
}

/** Rejects a goal that takes more placements than a search has room for. */
function expectNearGoal({ maxPlacements: most }: KernelSizes, { shape }: Game, goal: number): void {
  const cells = cellCount(shape);
  if (Math.min((cells * goal) / 4, 2 ** (cells + 1) - 2) <= most) return;
  const largestGoal = 2 ** Math.floor(Math.log2((4 * most) / cells));
  throw new RangeError(
    `the goal ${goal} is too large for the search; expected at most ${largestGoal}`,
  );
}

/** Divides `bytes` of buckets equally among memories of at most `largest` bytes. */
function divide(
  { bucketBytes, minBucketsLog2 }: KernelSizes,
  bytes: number,
  around: number,
  largest: number,
): { memories: number; buckets: number } {
  const least = 2 ** minBucketsLog2;
  const memories = Math.max(2, Math.ceil(bytes / largest));
  const buckets = Math.floor(bytes / memories / bucketBytes);
  if (around + bytes > largest && buckets >= least) return { memories, buckets };
  // All in the threads' memory: the bytes may exceed one memory, but not be enough for two.
  const whole = Math.floor(Math.min(bytes, largest - around) / bucketBytes);
  if (whole >= least) return { memories: 1, buckets: whole };
  throw new RangeError(
    `a table of ${around + bytes} bytes is too small for memories of ${largest}`,
  );
}

/** Bytes per page that the system gives to a program; its pages may be a multiple of this. */
export const SYSTEM_PAGE_BYTES = 4096;

/**
 * Makes the system provide the memory of a table, without changing its entries. Otherwise the
 * system provides each page when it is first written to. Threads that write to new pages at the
 * same time, here and there, hinder each other so much that one thread in advance is ten times as
 * fast.
 *
 * @param from the first byte of the memory to provide, counted over all {@link partsOf} the table
 * @param to the byte after the last one
 */
export function touchTable(table: SharedTable, from = 0, to = Number.POSITIVE_INFINITY): void {
  let start = 0;
  for (const part of partsOf(table)) {
    const end = Math.min(part.length, to - start);
    // An atomic write that changes nothing, even if other threads write there at the same time.
    for (let at = Math.max(0, from - start); at < end; at += SYSTEM_PAGE_BYTES) {
      Atomics.or(part, at, 0);
    }
    start += part.length;
  }
}

/** Returns the memory of a table's buckets, without that of its threads. */
export function partsOf({ memory, shards, threads, game }: SharedTable): Uint8Array[] {
  if (shards.length > 0) return shards.map(({ buffer }) => new Uint8Array(buffer));
  return [new Uint8Array(memory.buffer, tableAt(measure(game), threads))];
}

function allocate(bytes: number, shared: boolean): WebAssembly.Memory {
  const pages = Math.ceil(bytes / PAGE_BYTES);
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared });
  } catch (error) {
    const mib = Math.ceil((pages * PAGE_BYTES) / 2 ** 20);
    throw new RangeError(`this machine cannot provide ${mib} MiB of memory for a table`, {
      cause: error,
    });
  }
}
