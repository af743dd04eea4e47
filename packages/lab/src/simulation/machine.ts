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
import { startThreads, Thread } from "@gridlock/store";
import type { SimulationOptions } from "./options.js";
import type { ThreadData, ThreadRequest } from "./thread.js";

/** A thread of a virtual machine. */
export interface VirtualThread {
  readonly steps: Steps;
  /** Its answer, once it has ended. */
  answer: Promise<Bound | undefined>;
  /** Time that it has lost to other work than search. */
  lost: number;
  hasEnded: boolean;
  /** The time by its clock: the nodes that it has expanded, and what it has lost. */
  time(): number;
}

/** A machine with a table and threads of its own, which exchanges records with others. */
export class VirtualMachine implements AsyncDisposable {
  readonly threads: readonly VirtualThread[];
  readonly kernel: Kernel;
  readonly journal: Journal;
  readonly #monitor: ThreadMonitor;
  readonly #workers: readonly Thread<ThreadRequest, Bound | undefined>[];

  /** @throws {RangeError} if the table cannot be created; see `createTable`. */
  constructor(options: SimulationOptions, order: number) {
    const { game, question, memory, machines, threads, effort } = options;
    const table = createTable(game, memory, threads + 1);
    preferLargePages(partsOf(table));
    this.kernel = new Kernel(table, threads);
    this.journal = new Journal(table);
    if (machines > 1) this.journal.open(effort);
    const monitor = new ThreadMonitor(table);
    this.#monitor = monitor;
    const company = { together: machines * threads > 1, neighbours: threads > 1, order };
    this.#workers = startThreads(
      threads,
      (thread) =>
        new Thread(new URL("./thread.js", import.meta.url), {
          name: "a virtual thread",
          workerData: { table, thread, question, ...company } satisfies ThreadData,
          resourceLimits: { stackSizeMb: STACK_MB },
        }),
    );
    this.threads = this.#workers.map((_, thread) => ({
      steps: new Steps(table, thread),
      answer: Promise.resolve(undefined),
      lost: 0,
      hasEnded: false,
      time() {
        const { positions, afterstates } = monitor.countsOf(thread);
        return positions + afterstates + this.lost;
      },
    }));
  }

  /** Resolves when all threads can search. */
  async attached(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.ask("attach")));
  }

  /** Starts the search of all threads, which stop before the first node. */
  begin(): void {
    this.threads.forEach((thread, i) => {
      thread.steps.begin();
      thread.answer = (this.#workers[i] as Thread<ThreadRequest, Bound | undefined>).ask("search");
      thread.answer.catch(() => {}); // reported where it is awaited
      thread.hasEnded = !thread.steps.arrived();
    });
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
    await Promise.all(this.#workers.map((worker) => worker[Symbol.asyncDispose]()));
  }
}
