import { RECORD_BYTES } from "@gridlock/kernel";
import { Allowance } from "@gridlock/solver";
import type { VirtualMachine } from "./machine.js";
import type { SimulationOptions } from "./options.js";

/** Counts of the bounds and bytes that machines have sent and received. */
export interface Traffic {
  /** Bounds sent, each counted once. */
  bounds: number;
  bytesOut: number;
  /** Bytes that reached a machine, counted at each. */
  bytesIn: number;
  /** Bounds kept back by the rate. */
  held: number;
}

/** A batch on its way to a machine. */
interface Letter {
  readonly due: number;
  readonly count: number;
  readonly packed: Uint8Array;
}

/** Nodes of the second over which a rate is an average. */
const SECOND = 1_300_000;

/** The network between virtual machines: a batch reaches all others after a delay. */
export class Network {
  readonly traffic: Traffic = { bounds: 0, bytesOut: 0, bytesIn: 0, held: 0 };
  readonly #machines: readonly VirtualMachine[];
  readonly #options: SimulationOptions;
  readonly #allowances: readonly Allowance[];
  /** For each machine the letters on their way to it, in the order in which they are due. */
  readonly #inboxes: readonly Letter[][];

  constructor(machines: readonly VirtualMachine[], options: SimulationOptions) {
    this.#machines = machines;
    this.#options = options;
    this.#allowances = machines.map(() => new Allowance(options.rate * SECOND, SECOND));
    this.#inboxes = machines.map(() => []);
  }

  /** The time at which the next letter is due. */
  get nextDue(): number {
    return Math.min(...this.#inboxes.map(([letter]) => letter?.due ?? Number.POSITIVE_INFINITY));
  }

  /** Sends what each machine has found since its last exchange to the others. */
  send(now: number): void {
    if (this.#machines.length === 1) return;
    const { every, delay, pack } = this.#options;
    this.#machines.forEach((machine, from) => {
      const allowance = this.#allowances[from] as Allowance;
      const { passed, held } = allowance.select(machine.journal.drain(), every);
      const count = passed.length / RECORD_BYTES;
      const packed = machine.kernel.records.pack(passed);
      machine.lose(pack * count);
      this.traffic.bounds += count;
      this.traffic.held += held.length / RECORD_BYTES;
      this.traffic.bytesOut += packed.length;
      const letter = { due: now + delay, count, packed };
      this.#inboxes.forEach((inbox, to) => {
        if (to !== from) inbox.push(letter);
      });
    });
  }

  /** Gives each machine the letters that are due. */
  deliver(now: number): void {
    this.#machines.forEach((machine, to) => {
      const inbox = this.#inboxes[to] as Letter[];
      const last = inbox.findIndex(({ due }) => due > now);
      const letters = inbox.splice(0, last < 0 ? inbox.length : last);
      if (letters.length === 0) return;
      machine.kernel.records.unpack(letters.map(({ packed }) => packed));
      for (const { count, packed } of letters) {
        this.traffic.bytesIn += packed.length;
        machine.lose(this.#options.intake * count);
      }
    });
  }
}
