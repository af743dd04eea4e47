import type { AskedThreshold } from "@gridlock/store";

/**
 * Range of the thresholds to which a law is fitted, as the ratio of the largest to the smallest: a
 * single cost is off by a quarter in either direction, so a law needs several.
 */
const RANGE = 2.5;
/** The exponent without two thresholds to fit it to. */
const USUAL = 5;
/** Limits of the exponent: close thresholds say little of it; measured: 2.7 (3×4) to 5.0 (4×4). */
const LEAST = 2;
const MOST = 8;
/** The least expected cost of an unanswered question, as a multiple of its cost so far. */
const LONGER = 1.5;

/** Nodes per table entry: only afterstates are entered, 1/3 (4×4) to 1/2 (2×6) of all nodes. */
const NODES_PER_ENTRY = 2.5;
/**
 * Exponent by which a question takes more nodes if the table has room for a part of its entries
 * alone: for a third of them 1.6 times as many were measured (2×6), for two ninths 1.8 times (2×7).
 */
const FORGETTING = 0.4;

/**
 * How the cost of a question from a nearly empty table grows with its threshold *t*: it takes
 * `factor` · *t*^`exponent` nodes, and more if the table cannot hold them. The law is fitted to
 * what earlier questions took, and it is good for plans alone: at 1.4 to 1.5 times the last
 * threshold, questions took 0.65 to 0.8 of the nodes that it gave (2×8, 3×5 and 4×4).
 */
export class Growth {
  readonly exponent: number;
  readonly #factor: number;
  readonly #room: number;

  /**
   * @param asked thresholds with their costs; at least one of them answered
   * @param entries for which the table has room
   */
  constructor(asked: readonly AskedThreshold[], entries = Number.POSITIVE_INFINITY) {
    this.#room = NODES_PER_ENTRY * entries;
    const answered = asked.filter((one) => one.answered && one.nodes > 0);
    const most = Math.max(...answered.map(({ threshold }) => threshold));
    const fitted = answered.filter(({ threshold }) => RANGE * threshold >= most);
    const points = fitted.map(({ threshold, nodes }) => {
      return { x: Math.log(threshold), y: Math.log(this.#withRoom(nodes)) };
    });
    const mean = (of: (point: { x: number; y: number }) => number) =>
      points.reduce((sum, point) => sum + of(point), 0) / points.length;
    const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
    const spread = mean((point) => (point.x - x) ** 2);
    const slope = spread > 0 ? mean((point) => (point.x - x) * (point.y - y)) / spread : USUAL;
    this.exponent = Math.min(Math.max(slope, LEAST), MOST);
    const factors = asked
      .filter(({ answered }) => !answered)
      .map(({ threshold, nodes }) => this.#withRoom(LONGER * nodes) / threshold ** this.exponent);
    this.#factor = Math.max(Math.exp(y - this.exponent * x), ...factors);
  }

  /** Estimates the nodes that a threshold takes. */
  nodes(threshold: number): number {
    const nodes = this.#factor * threshold ** this.exponent;
    return nodes * Math.max(1, nodes / this.#room) ** FORGETTING;
  }

  /** Estimates the highest threshold that so many nodes answer; "for all": if all entries fit. */
  threshold(nodes: number, room: "as it is" | "for all" = "as it is"): number {
    const wanted = room === "as it is" ? this.#withRoom(nodes) : nodes;
    return 4 * Math.floor((wanted / this.#factor) ** (1 / this.exponent) / 4);
  }

  /** Returns the nodes that a question would have taken with room for all entries. */
  #withRoom(nodes: number): number {
    if (nodes <= this.#room) return nodes;
    return (nodes * this.#room ** FORGETTING) ** (1 / (1 + FORGETTING));
  }

  /** Estimates the entries that a threshold leaves, if the table has room for them. */
  entries(threshold: number): number {
    return (this.#factor * threshold ** this.exponent) / NODES_PER_ENTRY;
  }
}
