import { Worker } from "node:worker_threads";
import type { Game } from "@gridlock/game";
import {
  createTable,
  Journal,
  Kernel,
  type SharedTable,
  STACK_MB,
  Steps,
  ThreadMonitor,
} from "@gridlock/kernel";
import { Desk, type Outcome, type Task } from "./desk.js";
import type { ThreadData } from "./thread.js";

/** The settings of a virtual machine. */
export interface MachineSetup {
  readonly game: Game;
  /** Memory for its table, in bytes, the room for its threads included. */
  readonly memory: number;
  readonly threads: number;
  /** Whether any other thread, here or on another machine, searches the same questions. */
  readonly together: boolean;
  /** Breaks ties between slides; 0: in the usual order. */
  readonly tieSeed: bigint;
}

/** A thread of a virtual machine, as the conductor controls it. */
export class VirtualThread {
  readonly #steps: Steps;
  readonly #desk = new Desk();
  readonly #worker: Worker;
  readonly #counts: () => number;
  /** Whether it is searching. */
  busy = false;

  constructor(table: SharedTable, thread: number, setup: MachineSetup) {
    this.#steps = new Steps(table, thread);
    const monitor = new ThreadMonitor(table);
    this.#counts = () => {
      const { positions, afterstates } = monitor.countsOf(thread);
      return positions + afterstates;
    };
    const { together, tieSeed } = setup;
    this.#worker = new Worker(new URL("./thread.js", import.meta.url), {
      workerData: {
        table,
        thread,
        together,
        tieSeed,
        desk: this.#desk.buffer,
      } satisfies ThreadData,
      resourceLimits: { stackSizeMb: STACK_MB },
    });
  }

  /** Resolves when the thread is ready for a task. */
  ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#worker.once("message", () => resolve());
      this.#worker.once("error", reject);
    });
  }

  /** Nodes expanded so far: exact when it is at a poll or has finished its task. */
  get nodes(): number {
    return this.#counts();
  }

  /** Starts a task up to its first poll; {@link arrived} waits for it. */
  give(task: Task): void {
    this.busy = true;
    this.#steps.begin();
    this.#desk.give(task);
  }

  /** Continues the task up to the next poll; {@link arrived} waits for it. */
  goOn(): void {
    this.#steps.goOn();
  }

  /** Blocks until the thread reaches its next poll or the end of its task; at the end it is no longer busy. */
  arrived(): void {
    this.busy = this.#steps.arrived();
  }

  /** Returns the result of its last task. */
  outcome(): Outcome {
    const outcome = this.#desk.outcome();
    if (outcome === "failed") throw new Error("a virtual thread failed");
    return outcome;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** A machine with its own table and threads, which exchanges records with others. */
export class VirtualMachine {
  readonly threads: readonly VirtualThread[];
  readonly journal: Journal;
  readonly #kernel: Kernel;

  /** @throws {RangeError} when the table cannot be made; see `createTable`. */
  constructor(setup: MachineSetup) {
    const { game, memory, threads } = setup;
    const table = createTable(game, memory, threads + 1);
    this.journal = new Journal(table, "sharer");
    this.#kernel = new Kernel(table, threads);
    this.threads = Array.from({ length: threads }, (_, i) => new VirtualThread(table, i, setup));
  }

  /** The machine's kernel for everything except searching. */
  get kernel(): Kernel {
    return this.#kernel;
  }

  /** Nodes that its threads have expanded. */
  get nodes(): number {
    return this.threads.reduce((sum, { nodes }) => sum + nodes, 0);
  }

  async ready(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.ready()));
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()));
  }
}
