/** Recent milliseconds until a batch is accepted above which batches arrive too late to be of much use. */
const SLOW_MS = 20;
/** Recent milliseconds until a batch is accepted below which there is room for more. */
const QUICK_MS = 5;
/**
 * Fractions of a processor's time spent on storing other machines' bounds: above the first, machines share less; below
 * the second, there is room for more. All machines of a run send and receive at similar rates, so each one judges by
 * the bounds that it receives.
 */
const MUCH = 0.1;
const LITTLE = 0.03;
/** Batches between two changes of the threshold. */
const PATIENCE = 100;
/** The highest threshold, in nodes. */
const MOST_NODES = 1024;
/** Weight of the last batch in the recent averages. */
const WEIGHT = 1 / 16;
/**
 * Records of a batch above which the next one is due sooner, and below which it is due later. Besides its records, a
 * batch costs 0.1 to 0.3 ms of processor time on the sending and on each receiving machine: for one thread, a batch
 * every 2 ms costs a tenth of the search speed, a batch every 5 ms half of that.
 */
const MANY = 4000;
const FEW = 1500;

/**
 * Controls how often a machine shares bounds, and the effort that a shared bound must have cost. There is a batch every
 * 1 to 5 ms, depending on the number of records. The effort rises with the network's delay and with the time spent on
 * other machines' bounds.
 */
export class Pace {
  readonly #least: number;
  #nodes: number;
  #delay = 0;
  #intake = 0;
  #pause = 5;
  #batches = 0;

  /** @param least fewest nodes that a shared bound has cost */
  constructor(least: number) {
    this.#least = least;
    this.#nodes = least;
  }

  /**
   * Records a batch, and adapts the pace.
   *
   * @param milliseconds time until the batch was accepted
   * @param intake fraction of the time since the last batch spent on other machines' bounds, 0 to 1
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

  /** Nodes that a bound must currently have cost to be shared. */
  get nodes(): number {
    return this.#nodes;
  }

  /** Milliseconds that recent batches took to be accepted. */
  get delay(): number {
    return this.#delay;
  }

  /** Milliseconds until the next batch. */
  get pause(): number {
    return this.#pause;
  }
}
