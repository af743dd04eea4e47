import { DIRECTIONS, type Direction } from "@gridlock/game";
import { Grid, ILLEGAL } from "../grid.js";
import type { Cells } from "../player.js";
import { END, type LearningBoard } from "./learning-board.js";
import type { Network } from "./network.js";

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
