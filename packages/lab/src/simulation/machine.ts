import type { Bound } from "@gridlock/game";
import {
  createTable,
  Journal,
  Kernel,
  partsOf,
  preferLargePages,
  STACK_MB,
  Steps,
  ThreadMonitor,
} from "@gridlock/kernel";
import { startThreads, Thread } from "@gridlock/threads";
import type { SimulationOptions } from "./options.js";
import type { ThreadData, ThreadRequest } from "./thread-worker.js";

/** A thread of a virtual machine. */
export class VirtualThread extends Thread<ThreadRequest, Bound | undefined> {
  readonly steps: Steps;
  readonly #thread: number;
  readonly #monitor: ThreadMonitor;
  /** Its answer, once it has ended. */
  answer: Promise<Bound | undefined> = Promise.resolve(undefined);
  /** Time that it has lost to other work than search. */
  lost = 0;
  hasEnded = false;

  constructor(workerData: ThreadData, monitor: ThreadMonitor) {
    const resourceLimits = { stackSizeMb: STACK_MB };
    const options = { name: "a virtual thread", workerData, resourceLimits };
    super(new URL("./thread-worker.js", import.meta.url), options);
    this.steps = new Steps(workerData.table, workerData.thread);
    this.#thread = workerData.thread;
    this.#monitor = monitor;
  }

  /** Starts its search, which stops before the first node. */
  begin(): void {
    this.steps.begin();
    this.answer = this.ask("search");
    this.answer.catch(() => {}); // reported where it is awaited
    this.hasEnded = !this.steps.arrived();
  }

  /** The time by its clock: the nodes that it has expanded, and what it has lost. */
  time(): number {
    const { positions, afterstates } = this.#monitor.countsOf(this.#thread);
    return positions + afterstates + this.lost;
  }
}

/** A machine with a table and threads of its own, which exchanges records with others. */
export class VirtualMachine implements AsyncDisposable {
  readonly threads: readonly VirtualThread[];
  readonly kernel: Kernel;
  readonly journal: Journal;
  readonly #monitor: ThreadMonitor;

  /** @throws {RangeError} if the table cannot be created; see `createTable`. */
  constructor(options: SimulationOptions, order: number) {
    const { game, question, memory, machines, threads, effort } = options;
    const table = createTable(game, memory, threads + 1);
    preferLargePages(partsOf(table));
    this.kernel = new Kernel(table, threads);
    this.journal = new Journal(table);
    if (machines > 1) this.journal.open(effort);
    this.#monitor = new ThreadMonitor(table);
    const company = { together: machines * threads > 1, neighbours: threads > 1, order };
    this.threads = startThreads(
      threads,
      (thread) => new VirtualThread({ table, thread, question, ...company }, this.#monitor),
    );
  }

  /** The number of nodes that all threads have expanded. */
  get nodes(): number {
    const { positions, afterstates } = this.#monitor.counts();
    return positions + afterstates;
  }

  /** Takes time for other work than search from the threads, in equal parts. */
  lose(time: number): void {
    for (const thread of this.threads) thread.lost += time / this.threads.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread[Symbol.asyncDispose]()));
  }
}
