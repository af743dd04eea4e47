import { cellCount, formatShape, type Game, normalShape } from "@gridlock/game";
import { hasKernel, instantiate, KERNEL_LIMITS, type KernelExports } from "./module.js";

/**
 * A transposition table in shared memory, with room for a number of threads to search with it. It is
 * plain data that `postMessage` and `workerData` pass to other threads; all share one memory.
 */
export interface SharedTable {
  readonly game: Game;
  /** The threads' room and, where one memory is large enough, the table. */
  readonly memory: WebAssembly.Memory;
  /** The memories of a larger table, which each hold as many buckets. */
  readonly shards: readonly WebAssembly.Memory[];
  /** Number of threads that may attach, numbered from 0. */
  readonly threads: number;
  /** Buckets of {@link BUCKET_ENTRIES} entries of 8 bytes in all. */
  readonly buckets: number;
}

/** Entries of a bucket. */
export const BUCKET_ENTRIES = 4;

/** The limits of a table's memory, in bytes, including the memory of its threads. */
export interface TableLimits {
  /** The memory of the threads alone. */
  readonly threads: number;
  /** The least memory with which the keys are exact. */
  readonly least: number;
  /** The most memory that can be used. */
  readonly most: number;
}

const PAGE_BYTES = 65_536;
/** One WebAssembly memory ends here, at 4 GiB. */
const MAX_PAGES = 65_536;

/** Returns the limits of the memory of a game's table for a number of threads. */
export function tableLimits(game: Game, threads: number): TableLimits {
  return limitsOf(measure(game), threads);
}

function limitsOf(kernel: KernelExports, threads: number): TableLimits {
  const around = kernel.tableAt(threads) >>> 0;
  const bucket = kernel.BUCKET_BYTES.value as number;
  return {
    threads: around,
    least: around + bucket * 2 ** kernel.MIN_BUCKETS_LOG2.value,
    most: around + bucket * 2 ** kernel.MAX_BUCKETS_LOG2.value,
  };
}

/** The options of an unusual table. */
export interface TableOptions {
  /** Bytes of the largest memory to make: a table that needs more has several. */
  readonly largest?: number;
  /**
   * A tile, 8 or larger, that the slider is to make: a board is then worth 4 for each time that this can
   * be forced, and nothing else. Before that, each cell holds at most half of it and each placement adds
   * 2 or more, which limits the placements that a search needs room for.
   */
  readonly goal?: number;
}

/**
 * Creates an empty table of about `bytes` bytes, including the memory of its threads, or as many as it
 * can use. Memory that is never touched is never taken from the system.
 *
 * @throws {RangeError} when there is no kernel for the shape, when `bytes` is less than the shape's
 *   exact keys need, or when the system has too little memory.
 */
export function createTable(
  game: Game,
  bytes: number,
  threads: number,
  { largest = MAX_PAGES * PAGE_BYTES, goal = 0 }: TableOptions = {},
): SharedTable {
  const kernel = measure(game);
  const { least, most } = limitsOf(kernel, threads);
  if (!(bytes >= least)) {
    throw new RangeError(`a table of ${bytes} bytes is too small; expected at least ${least}`);
  }
  expectNearGoal(kernel, game, goal);
  const tableAt = kernel.tableAt(threads) >>> 0;
  const bucketBytes = kernel.BUCKET_BYTES.value as number;
  const { memories, buckets } = divide(kernel, Math.min(bytes, most) - tableAt, tableAt, largest);
  const isWhole = memories === 1;
  const memory = allocate(isWhole ? tableAt + buckets * bucketBytes : tableAt);
  instantiate(game.shape, memory).prepare(goal === 0 ? 0 : Math.log2(goal));
  return {
    game: { ...game, shape: normalShape(game.shape) },
    memory,
    shards: isWhole ? [] : Array.from({ length: memories }, () => allocate(buckets * bucketBytes)),
    threads,
    buckets: memories * buckets,
  };
}

/** Refuses a goal that takes more placements than a search has room for (`MAX_PLACEMENTS`). */
function expectNearGoal(kernel: KernelExports, { shape }: Game, goal: number): void {
  const cells = cellCount(shape);
  const most = kernel.MAX_PLACEMENTS.value as number;
  if (Math.min((cells * goal) / 4, 2 ** (cells + 1) - 2) <= most) return;
  const largestGoal = 2 ** Math.floor(Math.log2((4 * most) / cells));
  throw new RangeError(`a tile of ${goal} is too far a goal; expected at most ${largestGoal}`);
}

/** Divides `bytes` of buckets into memories of at most `largest` bytes, each with as many buckets. */
function divide(
  kernel: KernelExports,
  bytes: number,
  tableAt: number,
  largest: number,
): { memories: number; buckets: number } {
  const bucketBytes = kernel.BUCKET_BYTES.value as number;
  const least = 2 ** kernel.MIN_BUCKETS_LOG2.value;
  const memories = Math.max(2, Math.ceil(bytes / largest));
  const buckets = Math.floor(bytes / memories / bucketBytes);
  if (tableAt + bytes > largest && buckets >= least) return { memories, buckets };
  // All in the threads' memory: slightly more than one memory is not always enough for two.
  const whole = Math.floor(Math.min(bytes, largest - tableAt) / bucketBytes);
  if (whole >= least) return { memories: 1, buckets: whole };
  throw new RangeError(
    `a table of ${tableAt + bytes} bytes is too small for memories of ${largest}`,
  );
}

/** Bytes that the system gives to a program at once, or a multiple of that. */
export const SYSTEM_PAGE_BYTES = 4096;

/**
 * Makes the system give all memory of a table, whose entries stay as they are. Otherwise the system gives each page
 * when it is first written to; several threads that write to new pages at once hinder each other so much that one
 * thread beforehand is ten times as fast.
 */
export function touchTable(table: SharedTable): void {
  for (const part of partsOf(table)) {
    // A write that changes nothing, whatever other threads write there at the same time.
    for (let at = 0; at < part.length; at += SYSTEM_PAGE_BYTES) Atomics.or(part, at, 0);
  }
}

/** Returns the memory of a table's buckets, without that of its threads. */
export function partsOf({ memory, shards, threads, game }: SharedTable): Uint8Array[] {
  if (shards.length > 0) return shards.map(({ buffer }) => new Uint8Array(buffer));
  return [new Uint8Array(memory.buffer, instantiate(game.shape, memory).tableAt(threads) >>> 0)];
}

function allocate(bytes: number): WebAssembly.Memory {
  const pages = Math.ceil(bytes / PAGE_BYTES);
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  } catch (error) {
    const mib = Math.ceil((pages * PAGE_BYTES) / 2 ** 20);
    throw new RangeError(`this machine has no ${mib} MiB of memory to give to a table`, {
      cause: error,
    });
  }
}

/** Instantiates a kernel of which only the sizes are used. */
function measure(game: Game): KernelExports {
  if (!hasKernel(game.shape)) {
    throw new RangeError(`there is no kernel for ${formatShape(game.shape)}; ${KERNEL_LIMITS}`);
  }
  return instantiate(game.shape, allocate(PAGE_BYTES));
}
