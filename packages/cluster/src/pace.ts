/** A batch that takes so many milliseconds to be accepted, of late, comes too late to be of much use. */
const SLOW_MS = 20;
/** One that takes so few leaves room for more. */
const QUICK_MS = 5;
/**
 * Parts of a processor's time that it may take to put others' bounds into the table: above the first less is to be
 * passed on, below the second there is room for more. All machines of a run send and receive alike, so each goes by
 * what it receives.
 */
const MUCH = 0.1;
const LITTLE = 0.03;
/** Batches between two changes of the threshold. */
const PATIENCE = 100;
/** The highest threshold, in nodes. */
const MOST_NODES = 1024;
/** Weight of the last batch in what is so of late. */
const WEIGHT = 1 / 16;
/**
 * Records of a batch above which the next one is due sooner, and below which it is due later. A batch costs a
 * processor 0.1 to 0.3 ms besides its records, on this side and on each other one: with the batches of one thread,
 * every 2 ms cost a tenth of what is searched, every 5 ms half of that.
 */
const MANY = 4000;
const FEW = 1500;

/**
 * How often a machine passes on what it learns, and how costly it must be: every 1 to 5 ms as there is more or less
 * of it, and less the longer the network takes, and the more time what others send.
 */
export class Pace {
  readonly #least: number;
  #nodes: number;
  #delay = 0;
  #intake = 0;
  #pause = 5;
  #batches = 0;

  /** @param least the fewest nodes that a bound that is passed on has cost */
  constructor(least: number) {
    this.#least = least;
    this.#nodes = least;
  }

  /**
   * A batch of so many records took so many milliseconds to be accepted.
   *
   * @param intake part of the time since the last batch that went into others' bounds, 0 to 1
   */
  took(milliseconds: number, records: number, intake: number): void {
    this.#delay += WEIGHT * (milliseconds - this.#delay);
    this.#intake += WEIGHT * (intake - this.#intake);
    if (records > MANY) this.#pause = Math.max(1, this.#pause - 1);
    if (records < FEW) this.#pause = Math.min(5, this.#pause + 1);
    if (++this.#batches < PATIENCE) return;
    this.#batches = 0;
    if (this.#delay > SLOW_MS || this.#intake > MUCH) {
      this.#nodes = Math.min(MOST_NODES, 2 * this.#nodes);
    } else if (this.#delay < QUICK_MS && this.#intake < LITTLE) {
      this.#nodes = Math.max(this.#least, this.#nodes / 2);
    }
  }

  /** Nodes that a bound must have cost at present to be passed on. */
  get nodes(): number {
    return this.#nodes;
  }

  /** Milliseconds that a batch took of late to be accepted. */
  get delay(): number {
    return this.#delay;
  }

  /** Milliseconds until the next batch. */
  get pause(): number {
    return this.#pause;
  }
}
