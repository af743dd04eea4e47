import { seededRandom, UNKNOWN } from "@gridlock/game";
import { effortOf, type Kernel, RECORD_BYTES } from "@gridlock/kernel";
import type { SimulationOptions } from "./options.js";
import { boundAbout, byOwner, each, tally } from "./records.js";

/** The traffic of a network. A batch counts once when it is sent, and once for each machine that it reaches. */
export interface Traffic {
  bounds: number;
  marks: number;
  bytesOut: number;
  bytesIn: number;
  batches: number;
  lost: number;
}

/** A batch on its way to a machine. */
interface Letter {
  readonly from: number;
  /** Records in the order of the table. */
  readonly records: Uint8Array;
  /** Bytes of the records as sent over the network. */
  readonly bytes: number;
  /** The records that an owner reads; `undefined` for a reply. */
  readonly told: Uint8Array | undefined;
  readonly due: number;
}

type NetworkOptions = Pick<
  SimulationOptions,
  "delay" | "loss" | "seed" | "network" | "machines" | "share"
>;

/** A network in virtual time: batches arrive after a delay, or are lost. */
export class Network {
  readonly traffic: Traffic = {
    bounds: 0,
    marks: 0,
    bytesOut: 0,
    bytesIn: 0,
    batches: 0,
    lost: 0,
  };
  readonly #kernels: readonly Kernel[];
  readonly #options: NetworkOptions;
  readonly #random: () => number;
  /** For each owner, the first machine to announce a board, by the board's mixed key. */
  readonly #announced: readonly Map<number, number>[];
  /** For each machine, the batches on their way to it, in order of arrival. */
  readonly #inboxes: readonly Letter[][];

  constructor(kernels: readonly Kernel[], options: NetworkOptions) {
    this.#kernels = kernels;
    this.#options = options;
    this.#random = seededRandom(options.seed);
    this.#announced = kernels.map(() => new Map());
    this.#inboxes = kernels.map(() => []);
  }

  /** Accepts a machine's records at a time. */
  send(from: number, records: Uint8Array, now: number): void {
    const { bounds, marks } = tally(records);
    this.traffic.bounds += bounds;
    this.traffic.marks += marks;
    if (this.#options.network === "copy") {
      const others = this.#kernels.map((_, i) => i).filter((i) => i !== from);
      this.#post(from, others, records, undefined, now);
      return;
    }
    byOwner(records, this.#kernels.length).forEach((part, owner) => {
      if (owner === from) this.#read(owner, from, part, now);
      else this.#post(from, [owner], part, part, now);
    });
  }

  /** Delivers the batches that are due at a machine; returns the number of records. */
  deliver(receiver: number, now: number): number {
    const inbox = this.#inboxes[receiver] as Letter[];
    const kernel = this.#kernels[receiver] as Kernel;
    let count = 0;
    while ((inbox[0]?.due ?? Number.POSITIVE_INFINITY) <= now) {
      const { from, records, bytes, told } = inbox.shift() as Letter;
      this.traffic.bytesIn += bytes;
      kernel.records.put(records);
      count += records.length / RECORD_BYTES;
      if (told) this.#read(receiver, from, told, now);
    }
    return count;
  }

  #post(
    from: number,
    to: readonly number[],
    records: Uint8Array,
    told: Uint8Array | undefined,
    now: number,
  ): void {
    if (records.length === 0 || to.length === 0) return;
    const kernel = this.#kernels[from] as Kernel;
    const sorted = kernel.records.inOrder(records);
    const packed = kernel.records.packInOrder(sorted);
    this.traffic.batches++;
    this.traffic.bytesOut += packed.length;
    const letter = {
      from,
      records: sorted,
      bytes: packed.length,
      told,
      due: now + this.#options.delay,
    };
    for (const receiver of to) {
      if (this.#random() < this.#options.loss) this.traffic.lost++;
      else this.#inboxes[receiver]?.push(letter);
    }
  }

  /**
   * Handles records sent to an owner, by another machine or by itself. It stores the first machine to announce a board
   * until a bound of the board arrives. It replies to an announcement with its bound, and with a mark if another machine
   * was first.
   */
  #read(owner: number, from: number, records: Uint8Array, now: number): void {
    const kernel = this.#kernels[owner] as Kernel;
    const announced = this.#announced[owner] as Map<number, number>;
    const replies: Uint8Array[] = [];
    for (const { key, announces, record } of each(records)) {
      if (!announces) {
        announced.delete(key);
        continue;
      }
      const first = announced.get(key) ?? from;
      announced.set(key, first);
      if (first !== from) replies.push(record);
      if (owner === from) continue;
      const [node] = kernel.records.entriesOf(record, 0);
      const bound = node ? kernel.look(node) : UNKNOWN;
      if (bound.lo === 0 && !Number.isFinite(bound.hi)) continue;
      replies.push(boundAbout(record, bound, effortOf(this.#options.share ?? 1)));
    }
    const reply = Buffer.concat(replies);
    // An owner needs no message to tell itself that another was first.
    if (owner !== from) this.#post(owner, [from], reply, undefined, now);
    else kernel.records.put(reply);
  }
}
