import { type Bound, type Game, mergeBounds } from "@gridlock/game";
import {
  BUCKET_ENTRIES,
  type Company,
  createTable,
  Kernel,
  type NodeCounts,
  partsOf,
  preferLargePages,
  type SearchOptions,
  type SharedTable,
  STACK_MB,
  SYSTEM_PAGE_BYTES,
  ThreadMonitor,
} from "@gridlock/kernel";
import type { Waiting } from "@gridlock/store";
import { startThreads, Thread } from "@gridlock/threads";
import { estimate } from "./estimate.js";
import type { JobPort, Question } from "./port.js";
import type { ProofMemory } from "./proof-memory.js";
import { type SnapshotOptions, Snapshots } from "./snapshots.js";
import type { LoadedBatches } from "./warming.js";

/** The resources and the search settings of a pool. */
export interface PoolOptions {
  /** Worker threads, 1 or more. */
  readonly workers: number;
  /** Memory for the shared table, in bytes. */
  readonly memory: number;
  readonly search?: SearchOptions;
  /** True if a thread of the caller's puts the bounds of other machines into the table. */
  readonly linked?: boolean;
  /** The tile to make, if it replaces points as the goal. */
  readonly goal?: number;
  /** The memory in which the workers expand claims, of as many threads. */
  readonly proof?: ProofMemory | undefined;
}

/** Limits of a question, and other machines that search it (default: none). */
export interface AskLimits extends Company {
  /** The most nodes that all threads together expand. */
  readonly budget?: number | undefined;
  /** Stops the search without an answer. */
  readonly signal?: AbortSignal;
}

/** The data that a thread of the pool starts with. */
export interface PoolWorkerData {
  readonly table: SharedTable;
  readonly thread: number;
  readonly search: SearchOptions;
  readonly proof: ProofMemory | undefined;
}

/**
 * Bytes from which a table benefits from large pages; look-ups in smaller tables are nearly as fast
 * without.
 */
const LARGE = 64 * 2 ** 20;
/** Tables larger than this many times the bytes that the game is expected to fill stay sparse. */
const MOST_SPARSE = 16;

/** Bytes of a table that a thread has the system provide before it reports. */
const TOUCHED_TOGETHER = 64 * 2 ** 20;

/** A function of the module that expands claims, and its arguments. */
export interface ProofCall {
  readonly call: "work" | "listClaims" | "copyClaims" | "enterClaims" | "clearClaims";
  readonly args: readonly number[];
}

/**
 * A task for a thread: a question to search; packed records, in shared memory, to put into the
 * table; bytes of the table, from the first up to the second one, whose memory the system is to
 * provide; or a call.
 */
export type PoolTask =
  | (Question & { readonly company: Company; readonly budget: number | undefined })
  | { readonly batches: readonly Uint8Array[] }
  | { readonly touch: readonly [from: number, to: number] }
  | ProofCall;

/**
 * A thread's reply: the proven bound for a question that was not stopped, the result of a call,
 * otherwise `undefined`.
 */
export type PoolReply = Bound | number | undefined;

/**
 * Returns the number of threads in a pool's table: the workers, the caller's, the snapshot thread
 * and, if the pool is linked to other machines, one for their bounds.
 */
export function poolThreads(workers: number, linked = false): number {
  return workers + (linked ? 3 : 2);
}

type PoolThread = Thread<PoolTask, PoolReply>;

/**
 * The job port of one machine: worker threads with one shared table, which work together on one
 * question at a time.
 */
export class LocalPool implements JobPort, AsyncDisposable {
  /** The table; its thread before the last is for bounds of other machines if it is linked. */
  readonly table: SharedTable;
  /** A kernel over the table for the calling thread, for use between questions. */
  readonly kernel: Kernel;
  /** The snapshot that was loaded into the table. */
  loaded: LoadedBatches = { entries: 0, inParts: 0, last: 0 };
  readonly #monitor: ThreadMonitor;
  readonly #threads: readonly PoolThread[];
  /** True if the system has agreed to large pages: a search then soon writes to all of them. */
  readonly #hasLargePages: boolean;
  #isTouched = false;
  #question: Question | undefined;
  #snapshots: Snapshots | undefined;
  #stopped = false;
  #failure: Error | undefined;

  /** @throws {RangeError} if the table cannot be created; see `createTable`. */
  constructor(
    game: Game,
    { workers, memory, search = {}, goal = 0, linked = false, proof }: PoolOptions,
  ) {
    this.table = createTable(game, memory, poolThreads(workers, linked), { goal });
    const { tableBytes } = estimate(game.shape);
    this.#hasLargePages =
      memory >= LARGE &&
      memory <= MOST_SPARSE * tableBytes &&
      preferLargePages(partsOf(this.table));
    this.#monitor = new ThreadMonitor(this.table);
    this.kernel = new Kernel(this.table, workers);
    this.#threads = startThreads(workers, (thread) => {
      const workerData: PoolWorkerData = { table: this.table, thread, search, proof };
      return new Thread(new URL("./pool-worker.js", import.meta.url), {
        name: "the thread",
        workerData,
        resourceLimits: { stackSizeMb: STACK_MB },
        onFailure: (error) => this.fail(error),
      });
    });
  }

  /** Stops all searches, since a thread has failed; questions are rejected from then on. */
  fail(error: Error): void {
    this.#failure ??= new Error(`a worker thread failed: ${error.message}`, { cause: error });
    this.stop();
  }

  /**
   * Loads packed records into the table, before any question. All threads load batches while the
   * next ones are read.
   *
   * @param entries approximate total number of records
   */
  async load(batches: Iterable<readonly Uint8Array[]>, entries: number): Promise<void> {
    // With more records than the table has pages, most pages will be written to.
    const pages = (this.table.buckets * BUCKET_ENTRIES * 8) / SYSTEM_PAGE_BYTES;
    if (entries > pages) await this.touch();
    const underWay = this.#threads.map(() => Promise.resolve() as Promise<unknown>);
    // Each thread reuses one buffer: new buffers for each load would stay until a garbage
    // collection.
    const rooms = this.#threads.map(() => new SharedArrayBuffer(0));
    let turn = 0;
    for (const some of batches) {
      const thread = turn++ % this.#threads.length;
      await underWay[thread];
      const bytes = some.reduce((sum, batch) => sum + batch.length, 0);
      let room = rooms[thread] as SharedArrayBuffer;
      if (room.byteLength < bytes) room = rooms[thread] = new SharedArrayBuffer(bytes);
      let end = 0;
      const shared = some.map((batch) => {
        const copy = new Uint8Array(room, end, batch.length);
        copy.set(batch);
        end += batch.length;
        return copy;
      });
      underWay[thread] = this.#give(this.#threads[thread] as PoolThread, { batches: shared });
      underWay[thread]?.catch(() => {}); // reported when awaited
    }
    await Promise.all(underWay);
  }

  /**
   * Makes the table, if a search would soon need all of its memory: the system zeroes each large
   * page when it is first written to, which takes seconds in all, and a search would do next to
   * nothing else meanwhile. Ends early if the pool is stopped.
   *
   * @param onProgress called with the bytes made, and with all bytes
   */
  async makeTable(onProgress: (made: number, bytes: number) => void = () => {}): Promise<void> {
    if (this.#hasLargePages) await this.touch(onProgress);
  }

  /** Makes the system provide all of the table's memory at once; see {@link makeTable}. */
  async touch(onProgress: (made: number, bytes: number) => void = () => {}): Promise<void> {
    if (this.#failure) throw this.#failure;
    if (this.#isTouched) return;
    const bytes = partsOf(this.table).reduce((sum, { length }) => sum + length, 0);
    let next = 0;
    let made = 0;
    const touchNext = async (thread: PoolThread) => {
      while (next < bytes && !this.#stopped) {
        const from = next;
        next = Math.min(next + TOUCHED_TOGETHER, bytes);
        const touch = [from, next] as const;
        await this.#give(thread, { touch });
        made += touch[1] - from;
        onProgress(made, bytes);
      }
    };
    await Promise.all(this.#threads.map(touchNext));
    this.#isTouched = made === bytes;
  }

  /**
   * Asks all threads a question; the one before must have ended. The first answer stops the other
   * searches.
   *
   * @throws {Error} if a thread has failed (rejects)
   */
  async ask(
    question: Question,
    { signal, budget: all, ...company }: AskLimits = {},
  ): Promise<Bound | undefined> {
    if (this.#failure) throw this.#failure;
    if (this.#stopped || signal?.aborted) return undefined;
    const neighbours = this.#threads.length > 1;
    const budget = all && Math.ceil(all / this.#threads.length);
    const together = company.together || neighbours;
    const stopSearch = () => this.#monitor.requestStop();
    signal?.addEventListener("abort", stopSearch, { once: true });
    this.#question = question;
    try {
      const replies = this.#threads.map(async (thread) => {
        const reply = await this.#give(thread, {
          ...question,
          budget,
          company: { ...company, together, neighbours },
        });
        if (reply !== undefined) stopSearch();
        return reply;
      });
      const bounds = (await Promise.all(replies)).filter((reply) => reply !== undefined) as Bound[];
      if (this.#failure) throw this.#failure;
      return bounds.length > 0 ? bounds.reduce(mergeBounds) : undefined;
    } finally {
      this.#question = undefined;
      signal?.removeEventListener("abort", stopSearch);
      if (!this.#stopped) this.#monitor.requestStop(false);
    }
  }

  /** Has a thread call a function of the module that expands claims; returns its result. */
  async call(thread: number, { call, args }: ProofCall): Promise<number> {
    return (await this.#give(this.#threads[thread] as PoolThread, { call, args })) as number;
  }

  /** Gives a thread a task and waits until it is done. */
  async #give(thread: PoolThread, task: PoolTask): Promise<PoolReply> {
    try {
      return await thread.ask(task);
    } catch (error) {
      throw this.#failure ?? error;
    }
  }

  /** Stops the search, and all later ones, without an answer. */
  stop(): void {
    this.#stopped = true;
    this.#monitor.requestStop();
  }

  /** Returns the nodes that all threads have expanded. */
  counts(): NodeCounts {
    return this.#monitor.counts();
  }

  get question(): Question | undefined {
    return this.#question;
  }

  /** Begins to save the bounds that the workers prove. Call it only once. */
  startSnapshots(options: SnapshotOptions, onWait?: Waiting["onWait"]): Snapshots {
    const { table, loaded } = this;
    this.#snapshots = new Snapshots({ table, loaded, ...options }, () => this.stop(), onWait);
    return this.#snapshots;
  }

  /** Stops all threads. A question under way fails. */
  async [Symbol.asyncDispose](): Promise<void> {
    const owned = [...this.#threads, ...(this.#snapshots ? [this.#snapshots] : [])];
    await Promise.all(owned.map((one) => one[Symbol.asyncDispose]()));
  }
}
