import { type Bound, seededRandom } from "@gridlock/game";
import { startThreads } from "@gridlock/store";
import { VirtualMachine, type VirtualThread } from "./machine.js";
import { Network, type Traffic } from "./network.js";
import type { SimulationOptions } from "./options.js";

/** Nodes between two checks of a thread, where it can be stopped. */
const CHECK = 256;
/** Milliseconds between two reports of progress. */
const REPORT_MS = 100;

/** The result of one simulated run. */
export interface SimulatedRun {
  readonly bound: Bound;
  /** Time until the first machine has the answer. */
  readonly time: number;
  /** Nodes that all threads had expanded by then. */
  readonly nodes: number;
  readonly traffic: Traffic;
  /** Records for which a journal had no room. */
  readonly missed: number;
}

/** Called now and then with the time and the nodes so far. */
export type OnSimulated = (time: number, nodes: number) => void;

/**
 * A run of virtual machines. All threads advance in lock step, and machines meet only where batches are
 * sent or due, so they can search on any number of processors at the same time, and the same options
 * always give the same result.
 */
export class Run implements AsyncDisposable {
  readonly #options: SimulationOptions;
  readonly #machines: readonly VirtualMachine[];
  readonly #network: Network;

  constructor(options: SimulationOptions) {
    this.#options = options;
    const random = seededRandom(options.seed);
    const orderOf = (i: number) => (i === 0 ? 0 : 1 + Math.floor(random() * (2 ** 32 - 1)));
    this.#machines = startThreads(options.machines, (i) => new VirtualMachine(options, orderOf(i)));
    this.#network = new Network(this.#machines, options);
  }

  async result(onProgress: OnSimulated): Promise<SimulatedRun> {
    await Promise.all(this.#machines.map((machine) => machine.attached()));
    for (const machine of this.#machines) machine.begin();
    let reported = performance.now();
    let now = 0;
    for (let exchange = this.#options.every; ; ) {
      const ended = this.#threads().filter(({ hasEnded }) => hasEnded);
      if (ended.length > 0) return await this.#resultOf(ended);
      const next = Math.min(exchange, this.#network.nextDue);
      this.#advance(now, next);
      now = next;
      if (now === exchange) {
        exchange += this.#options.every;
        this.#network.send(now);
      }
      this.#network.deliver(now);
      if (performance.now() - reported < REPORT_MS) continue;
      onProgress(now, this.#nodes());
      reported = performance.now();
    }
  }

  #threads(): VirtualThread[] {
    return this.#machines.flatMap(({ threads }) => threads);
  }

  #nodes(): number {
    return this.#machines.reduce((sum, { nodes }) => sum + nodes, 0);
  }

  /**
   * Lets all threads search until a time. Those of one machine take turns, from check to check, since
   * they share a table; those of different machines search at the same time.
   */
  #advance(from: number, until: number): void {
    const { threads } = this.#options;
    const slice = threads === 1 ? until - from : CHECK;
    for (let time = from; time < until; time += slice) {
      for (let i = 0; i < threads; i++) {
        const some = this.#machines.map((machine) => machine.threads[i] as VirtualThread);
        run(some, Math.min(time + slice, until));
      }
    }
  }

  async #resultOf(ended: readonly VirtualThread[]): Promise<SimulatedRun> {
    const [first] = [...ended].sort((a, b) => a.time() - b.time());
    const bound = await first?.answer;
    if (bound === undefined) throw new RangeError("the search went deeper than its stack allows");
    return {
      bound,
      time: Math.round(first?.time() ?? 0),
      nodes: this.#nodes(),
      traffic: this.#network.traffic,
      missed: this.#machines.reduce((sum, { journal }) => sum + journal.missed, 0),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#machines.map((machine) => machine[Symbol.asyncDispose]()));
  }
}

/** Lets threads of different machines search, each until its clock shows a time or it has its answer. */
function run(threads: readonly VirtualThread[], until: number): void {
  const isUnderWay = (thread: VirtualThread) => !thread.hasEnded && thread.time() < until;
  for (let moving = threads.filter(isUnderWay); moving.length > 0; ) {
    for (const { steps } of moving) steps.goOn();
    for (const thread of moving) thread.hasEnded = !thread.steps.arrived();
    moving = moving.filter(isUnderWay);
  }
}
