import { DIRECTIONS, type Direction } from "@gridlock/game";
import { Grid, ILLEGAL } from "../grid.js";
import type { Cells } from "../player.js";
import type { Network } from "./network.js";

/** The result of {@link LearningBoard.lookAhead} if no slide is legal. */
export const END = Number.NEGATIVE_INFINITY;

/** A board on which a network learns: a position, or the afterstate left by {@link slide}. */
export interface LearningBoard {
  /** Removes all tiles. */
  clear(): void;
  /** Counts the empty cells. */
  countEmpty(): number;
  /** Puts the tile of an exponent into an empty cell, counted from 0 in reading order. */
  place(nthEmpty: number, exponent: number): void;
  /**
   * Finds the slide with the largest sum of its points and the network's estimate of its
   * afterstate; of equal ones the first in the order of `DIRECTIONS`. Returns that sum, or
   * {@link END}.
   */
  lookAhead(): number;
  /** The points of the slide found by {@link lookAhead}. */
  readonly points: number;
  /** Makes that slide. */
  slide(): void;
  /**
   * Moves each weight of the afterstate of the last {@link slide} by `rate` times the difference of
   * `target` and its estimate.
   */
  learn(target: number, rate: number): void;
  /** Returns the largest exponent on the board. */
  largest(): number;
}

/** A {@link LearningBoard} of any shape. */
export class AnyShape implements LearningBoard {
  readonly #network: Network;
  readonly #grid: Grid;
  readonly #cells: Cells;
  /** The afterstate of the last slide. */
  readonly #after: Cells;
  /** The afterstate of the current slide, and of the best one. */
  #tried: Cells;
  #best: Cells;
  /** The slide found by {@link lookAhead}, and its points. */
  direction: Direction = "up";
  points = 0;

  constructor(network: Network) {
    this.#network = network;
    this.#grid = new Grid(network.shape);
    const cells = () => new Uint8Array(this.#grid.size);
    this.#cells = cells();
    this.#after = cells();
    this.#tried = cells();
    this.#best = cells();
  }

  clear(): void {
    this.#cells.fill(0);
  }

  /** Copies the cells of a position. */
  set(cells: Cells): void {
    this.#cells.set(cells);
  }

  countEmpty(): number {
    let count = 0;
    for (const exponent of this.#cells) if (exponent === 0) count++;
    return count;
  }

  place(nthEmpty: number, exponent: number): void {
    let cell = this.#cells.indexOf(0);
    for (let n = 0; n < nthEmpty; n++) cell = this.#cells.indexOf(0, cell + 1);
    this.#cells[cell] = exponent;
  }

  lookAhead(): number {
    let best = END;
    for (const direction of DIRECTIONS) {
      const points = this.#grid.slide(this.#cells, direction, this.#tried);
      if (points === ILLEGAL) continue;
      const worth = points + this.#network.value(this.#tried);
      if (worth <= best) continue;
      best = worth;
      this.direction = direction;
      this.points = points;
      [this.#best, this.#tried] = [this.#tried, this.#best];
    }
    return best;
  }

  slide(): void {
    this.#after.set(this.#best);
    this.#cells.set(this.#best);
  }

  learn(target: number, rate: number): void {
    this.#network.learn(this.#after, target, rate);
  }

  largest(): number {
    return Math.max(...this.#cells);
  }
}
