import { linesToward, type Shape } from "@gridlock/game";
import type { Cells } from "../player.js";

/** The largest exponent that fits the four bits in an index; larger tiles count as this one. */
const MAX_EXPONENT = 15;

/**
 * An n-tuple network: estimates the points still to come after an afterstate by a sum of weights.
 * Each tuple has a table with a weight for every content of its cells; all begin with 0. After
 * Szubert and Jaśkowski, *Temporal Difference Learning of N-Tuple Networks for the Game 2048*
 * (2014).
 */
export class Network {
  readonly shape: Shape;
  readonly tuples: readonly Tuple[];
  /** The tables of all tuples, one after another. */
  readonly weights: Float32Array<ArrayBuffer>;
  /** The first weight of each tuple's table. */
  readonly #tables: Int32Array;
  /** The active weights of the last afterstate, one for each tuple. */
  readonly #active: Int32Array;

  constructor(shape: Shape) {
    this.shape = shape;
    this.tuples = tuplesOf(shape);
    this.#tables = new Int32Array(this.tuples.length);
    this.#active = new Int32Array(this.tuples.length);
    let size = 0;
    this.tuples.forEach((tuple, i) => {
      this.#tables[i] = size;
      size += 16 ** tuple.length;
    });
    this.weights = new Float32Array(size);
  }

  /** Returns the estimate for an afterstate, in points. */
  value(afterstate: Cells): number {
    this.look(afterstate, this.#active);
    return this.sum(this.#active);
  }

  /** Finds the active weights of an afterstate, one for each tuple. */
  look(afterstate: Cells, active: Int32Array): void {
    for (let i = 0; i < this.tuples.length; i++) {
      const tuple = this.tuples[i] as Tuple;
      let index = 0;
      for (let j = tuple.length - 1; j >= 0; j--) {
        const exponent = afterstate[tuple[j] as number] as number;
        index = (index << 4) | (exponent < MAX_EXPONENT ? exponent : MAX_EXPONENT);
      }
      active[i] = (this.#tables[i] as number) + index;
    }
  }

  /** Returns the sum of the active weights, in the order of the tuples. */
  sum(active: Int32Array): number {
    const { weights } = this;
    let sum = 0;
    for (let i = 0; i < active.length; i++) sum += weights[active[i] as number] as number;
    return sum;
  }

  /** Moves each active weight by `rate` times the difference of `target` and their sum. */
  learn(active: Int32Array, target: number, rate: number): void {
    const { weights } = this;
    const step = rate * (target - this.sum(active));
    for (let i = 0; i < active.length; i++) {
      const index = active[i] as number;
      weights[index] = (weights[index] as number) + step;
    }
  }
}

/** The cells of a tuple, the one whose tile is the lowest digit of its index first. */
export type Tuple = readonly number[];

/** The most cells of a tuple: four bits a cell, so 65,536 weights. */
const TUPLE_CELLS = 4;

/**
 * Lists the tuples of a shape: its rows, its columns and all squares of 2×2. On 4×4 these are the
 * 17 four-tuples of Szubert and Jaśkowski (2014). A line of two or three cells is a tuple of that
 * many; a line of more than four gives one tuple for every four neighbouring cells. A line of one
 * cell gives none.
 */
function tuplesOf(shape: Shape): Tuple[] {
  const rows = linesToward(shape, "left");
  const columns = linesToward(shape, "up");
  return [...[...rows, ...columns].flatMap(partsOf), ...squaresOf(shape)];
}

function partsOf(line: readonly number[]): Tuple[] {
  if (line.length === 1) return [];
  const parts: Tuple[] = [];
  for (let first = 0; first === 0 || first + TUPLE_CELLS <= line.length; first++) {
    parts.push(line.slice(first, first + TUPLE_CELLS));
  }
  return parts;
}

function squaresOf({ rows, cols }: Shape): Tuple[] {
  const firsts = [...Array((rows - 1) * cols).keys()].filter((cell) => (cell + 1) % cols !== 0);
  return firsts.map((first) => [first, first + 1, first + cols, first + cols + 1]);
}
