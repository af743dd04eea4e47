import { DIRECTIONS, type Direction } from "@gridlock/game";
import { countEmpty, Grid, ILLEGAL } from "../grid.js";
import type { Cells } from "../player.js";
import type { Network } from "./network.js";

/** The result of {@link AnyShape.lookAhead} if no slide is legal. */
export const END = Number.NEGATIVE_INFINITY;

/** A board on which a network learns. */
export type LearningBoard = Omit<AnyShape, "set" | "direction">;

/**
 * A board of any shape on which a network learns: a position, or the afterstate left by
 * {@link slide}.
 */
export class AnyShape {
  readonly #network: Network;
  readonly #grid: Grid;
  readonly #cells: Cells;
  /** The afterstate of the last slide. */
  readonly #after: Cells;
  /** The afterstate of the slide being tried. */
  readonly #tried: Cells;
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
  }

  /** Removes all tiles. */
  clear(): void {
    this.#cells.fill(0);
  }

  /** Copies the cells of a position. */
  set(cells: Cells): void {
    this.#cells.set(cells);
  }

  /** Counts the empty cells. */
  countEmpty(): number {
    return countEmpty(this.#cells);
  }

  /** Puts the tile of an exponent into an empty cell, counted from 0 in reading order. */
  place(nthEmpty: number, exponent: number): void {
    let cell = this.#cells.indexOf(0);
    for (let n = 0; n < nthEmpty; n++) cell = this.#cells.indexOf(0, cell + 1);
    this.#cells[cell] = exponent;
  }

  /**
   * Finds the slide with the largest sum of its points and the network's estimate of its
   * afterstate; of equal ones the first in the order of `DIRECTIONS`. Returns that sum, or
   * {@link END}.
   */
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
    }
    return best;
  }

  /** Makes the slide found by {@link lookAhead}. */
  slide(): void {
    this.#grid.slide(this.#cells, this.direction, this.#after);
    this.#cells.set(this.#after);
  }

  /**
   * Moves each weight of the afterstate of the last {@link slide} by `rate` times the difference of
   * `target` and its estimate.
   */
  learn(target: number, rate: number): void {
    this.#network.learn(this.#after, target, rate);
  }

  /** Returns the largest exponent on the board. */
  largest(): number {
    return Math.max(...this.#cells);
  }
}
