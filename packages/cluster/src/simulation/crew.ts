import { openJournal } from "../open-journal.js";
import type { Outcome, Task } from "./desk.js";
import { VirtualMachine, type VirtualThread } from "./machine.js";
import { Network } from "./network.js";
import { POLL_NODES, type SimulationOptions } from "./options.js";

/** Milliseconds after which the event loop turns, so that signals are heard. */
const TURN_MS = 50;
/** An odd number of 64 bits: the high bits of its multiples are practically random. */
const TIES = 0x9e3779b97f4a7c15n;

/** A thread, its task, and the time when it began it. */
export interface Seat {
  readonly thread: VirtualThread;
  readonly machine: number;
  /** Its waiting tasks, next first. */
  readonly waiting: Task[];
  task: Task | undefined;
  /** Node count at virtual time 0: its virtual time is the nodes that it has expanded since. */
  origin: number;
}

/** A finished task. */
export interface Ended {
  readonly seat: Seat;
  readonly task: Task;
  readonly outcome: Outcome;
  readonly time: number;
}

/**
 * Virtual machines and their clock. All threads advance by the same number of nodes between two barriers; machines
 * meet only there, so that they can run in parallel and runs are still reproducible. The threads of one machine
 * share a table and take turns, from poll to poll.
 */
export class Crew {
  readonly seats: readonly Seat[];
  readonly network: Network;
  readonly #machines: readonly VirtualMachine[];
  readonly #options: SimulationOptions;
  #now = 0;
  #turned = performance.now();

  constructor(options: SimulationOptions) {
    const { game, memory, threads, machines, ties, seed, share, reuse, announce, method } = options;
    this.#options = options;
    this.#machines = Array.from({ length: machines }, (_, i) => {
      const isOwnOrder = ties && method === "deferral" && i > 0; // the first has the usual order
      const tieSeed = isOwnOrder ? BigInt.asUintN(64, TIES * BigInt(2 * (seed + i) + 1)) : 0n;
      const together = method === "deferral" && machines * threads > 1;
      return new VirtualMachine({ game, memory, threads, together, tieSeed });
    });
    for (const { journal } of machines > 1 ? this.#machines : []) {
      if (share === undefined && announce === undefined) continue;
      openJournal(journal, { share, reuse, announce: announce ?? 0 });
    }
    this.network = new Network(
      this.#machines.map(({ kernel }) => kernel),
      options,
    );
    this.seats = this.#machines.flatMap((machine, i) =>
      machine.threads.map((thread) => ({
        thread,
        machine: i,
        waiting: [],
        task: undefined,
        origin: 0,
      })),
    );
  }

  /** Resolves when all threads can begin. */
  async ready(): Promise<void> {
    await Promise.all(this.#machines.map((machine) => machine.ready()));
  }

  /** Nodes of virtual time that have passed at the last barrier. */
  get now(): number {
    return this.#now;
  }

  /** Nodes that all threads have expanded. */
  get nodes(): number {
    return this.#machines.reduce((sum, { nodes }) => sum + nodes, 0);
  }

  /** Records that were dropped because a journal was full. */
  get missed(): number {
    return this.#machines.reduce((sum, { journal }) => sum + journal.missed, 0);
  }

  /** Returns a machine's kernel, for access to its table. */
  kernelOf(machine: number) {
    return (this.#machines[machine] as VirtualMachine).kernel;
  }

  /** Lets all threads search until the next barrier, where records are exchanged; returns the finished tasks. */
  async advance(): Promise<Ended[]> {
    const until = this.#now + this.#options.batch;
    const ended: Ended[] = [];
    const slice = this.#options.threads === 1 ? this.#options.batch : POLL_NODES;
    for (let time = this.#now + slice; time <= until; time += slice) {
      for (let i = 0; i < this.#options.threads; i++) {
        const seats = this.seats.filter((_, seat) => seat % this.#options.threads === i);
        ended.push(...this.#advance(seats, time));
      }
    }
    this.#now = until;
    if (this.#machines.length > 1) {
      this.#machines.forEach(({ journal }, i) => {
        this.network.send(i, journal.drain(), until);
      });
    }
    await this.#turn();
    return ended;
  }

  /** Lets threads of different machines search until a time; finished tasks come in a reproducible order. */
  #advance(seats: readonly Seat[], until: number): Ended[] {
    const ended = seats.map((): Ended[] => []);
    const now = this.#now;
    let moving = seats.map((seat, i) => ({ seat, ended: ended[i] as Ended[] }));
    moving = moving.filter(({ seat }) => {
      // While one machine is given its letters, those before it are under way.
      this.#takeIn(seat.machine, now);
      return this.#setOut(seat, until);
    });
    while (moving.length > 0) {
      moving = moving.filter(({ seat, ended }) => {
        seat.thread.arrived();
        if (!seat.thread.busy && seat.task) {
          const outcome = seat.thread.outcome();
          ended.push({ seat, task: seat.task, outcome, time: seat.thread.nodes - seat.origin });
          seat.task = undefined;
        }
        return this.#setOut(seat, until);
      });
    }
    return ended.flat();
  }

  /** Delivers a machine's incoming batches; its threads share the cost. */
  #takeIn(machine: number, now: number): void {
    const records = this.network.deliver(machine, now);
    const { intake, threads } = this.#options;
    for (const seat of this.seats.slice(threads * machine, threads * (machine + 1))) {
      seat.origin -= Math.round((intake * records) / threads);
    }
  }

  /** Continues or starts the next task of a thread that has not reached a time; returns whether it runs. */
  #setOut(seat: Seat, until: number): boolean {
    const { thread } = seat;
    if (thread.nodes - seat.origin >= until) return false;
    if (seat.task) {
      thread.goOn();
      return true;
    }
    seat.task = seat.waiting.shift();
    if (seat.task) thread.give(seat.task);
    else seat.origin = thread.nodes - until; // it waits, and time goes by
    return seat.task !== undefined;
  }

  async #turn(): Promise<void> {
    if (performance.now() - this.#turned < TURN_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#turned = performance.now();
  }

  async close(): Promise<void> {
    await Promise.all(this.#machines.map((machine) => machine.close()));
  }
}
