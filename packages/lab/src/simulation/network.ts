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

/** Nodes of the second over which a rate is an average. */
const SECOND = 1_300_000;

/** The network between virtual machines: what one sends reaches all others. */
export class Network {
  readonly traffic: Traffic = { bounds: 0, bytesOut: 0, bytesIn: 0, held: 0 };
  readonly #machines: readonly VirtualMachine[];
  readonly #options: SimulationOptions;
  readonly #allowances: readonly Allowance[];

  constructor(machines: readonly VirtualMachine[], options: SimulationOptions) {
    this.#machines = machines;
    this.#options = options;
    this.#allowances = machines.map(() => new Allowance(options.rate * SECOND, SECOND));
  }

  /**
   * Takes what each machine has found since its last exchange; returns a function that gives it to
   * the others.
   */
  send(): () => void {
    const { every, intake, pack } = this.#options;
    const batches = this.#machines.map((machine, from) => {
      const allowance = this.#allowances[from] as Allowance;
      const { passed, held } = allowance.select(machine.journal.drain(), every);
      const count = passed.length / RECORD_BYTES;
      const packed = machine.kernel.records.pack(passed);
      machine.lose(pack * count);
      this.traffic.bounds += count;
      this.traffic.held += held.length / RECORD_BYTES;
      this.traffic.bytesOut += packed.length;
      return { from: machine, count, packed };
    });
    return () => {
      for (const machine of this.#machines) {
        const received = batches.filter(({ from }) => from !== machine);
        machine.kernel.records.unpack(received.map(({ packed }) => packed));
        for (const { count, packed } of received) {
          this.traffic.bytesIn += packed.length;
          machine.lose(intake * count);
        }
      }
    };
  }
}
