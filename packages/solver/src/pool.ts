import { Worker } from "node:worker_threads";
import type { Bound, Game } from "@gridlock/game";
import {
  createTable,
  Kernel,
  type NodeCounts,
  type SharedTable,
  ThreadMonitor,
} from "@gridlock/kernel";
import type { JobPort, Question } from "./port.js";

/** How much a pool may use. */
export interface PoolOptions {
  /** Worker threads, 1 or more. */
  readonly workers: number;
  /** Memory for the shared table, in bytes. */
  readonly memory: number;
}

/** What the pool posts to a thread. */
export type PoolRequest = Question;
/** What a thread posts back: what is proven, or nothing if it was stopped. */
export type PoolReply = Bound | undefined;

/** Megabytes of stack of a worker thread: the search recurses twice a placement, 8,190 at most. */
const STACK_MB = 32;

interface Seat {
  readonly worker: Worker;
  busy: { resolve(reply: PoolReply): void; reject(error: Error): void } | undefined;
}

/** The job port of one machine: worker threads that search with one shared table. */
export class LocalPool implements JobPort {
  readonly slots: number;
  readonly #table: SharedTable;
  readonly #monitor: ThreadMonitor;
  readonly #seats: Seat[];
  readonly #waiting: (() => void)[] = [];
  #stopped = false;
  #failure: Error | undefined;
  #kernel: Kernel | undefined;

  /** @throws {RangeError} when the table cannot be made; see `createTable`. */
  constructor(game: Game, { workers, memory }: PoolOptions) {
    this.slots = workers;
    // One thread more than workers: the caller's own kernel.
    this.#table = createTable(game, memory, workers + 1);
    this.#monitor = new ThreadMonitor(this.#table);
    this.#seats = Array.from({ length: workers }, (_, thread) => this.#hire(thread));
  }

  #hire(thread: number): Seat {
    const worker = new Worker(new URL("./pool-worker.js", import.meta.url), {
      workerData: { table: this.#table, thread },
      resourceLimits: { stackSizeMb: STACK_MB },
    });
    const seat: Seat = { worker, busy: undefined };
    worker.on("message", (reply: PoolReply) => {
      const { busy } = seat;
      seat.busy = undefined;
      busy?.resolve(reply);
      this.#waiting.shift()?.();
    });
    worker.on("error", (error) => this.#fail(seat, error));
    return seat;
  }

  /** A thread has died: its question is lost, and no other can be answered with confidence. */
  #fail(seat: Seat, error: Error): void {
    this.#failure ??= new Error(`a worker thread failed: ${error.message}`, { cause: error });
    seat.busy?.reject(this.#failure);
    seat.busy = undefined;
    this.stop();
    for (const wake of this.#waiting.splice(0)) wake();
  }

  async ask(question: Question): Promise<Bound | undefined> {
    let seat = this.#seats.find(({ busy }) => busy === undefined);
    while (seat === undefined) {
      await new Promise<void>((wake) => this.#waiting.push(wake));
      seat = this.#seats.find(({ busy }) => busy === undefined);
    }
    if (this.#failure) throw this.#failure;
    if (this.#stopped) return undefined;
    const free = seat;
    return new Promise((resolve, reject) => {
      free.busy = { resolve, reject };
      free.worker.postMessage(question satisfies PoolRequest);
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#monitor.requestStop();
  }

  counts(): NodeCounts {
    return this.#monitor.counts();
  }

  /** A kernel over the pool's table for the calling thread. It may be used while the pool works. */
  get kernel(): Kernel {
    this.#kernel ??= new Kernel(this.#table, this.slots);
    return this.#kernel;
  }

  async close(): Promise<void> {
    await Promise.all(this.#seats.map(({ worker }) => worker.terminate()));
  }
}
