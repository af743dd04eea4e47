import { Grid } from "@gridlock/enumeration";
import { type Board, DIRECTIONS, type Shape } from "@gridlock/game";
import type { Cells } from "@gridlock/players";

/**
 * The boards of a shape as the numbers of `enumeration`, either each board by itself or one for all
 * images of a board.
 */
export class Boards {
  readonly shape: Shape;
  readonly isCanonical: boolean;
  /** The number of cells. */
  readonly size: number;
  /** The cells of the last board set. */
  readonly cells: Cells;
  readonly #grid: Grid;
  #afterstate = 0;

  /**
   * @param isCanonical whether a board stands for its images
   * @throws {RangeError} if the shape has too many boards; see {@link Grid}
   */
  constructor(shape: Shape, isCanonical: boolean) {
    this.#grid = new Grid(shape);
    this.shape = this.#grid.shape;
    this.isCanonical = isCanonical;
    this.size = this.#grid.cells;
    this.cells = new Uint8Array(this.size);
  }

  /** Returns whether every code fits 32 bits. */
  get areCodesShort(): boolean {
    return this.#grid.base ** this.size <= 2 ** 32;
  }

  /** Returns the code of a board, which may be that of an image. */
  codeOf(board: Board): number {
    const code = this.#grid.encode(board);
    return this.isCanonical ? this.#grid.canonical(code) : code;
  }

  /** Returns the code of a board packed in two halves, which may be that of an image. */
  codeOfHalves(high: number, low: number): number {
    let code = 0;
    for (let cell = 0; cell < this.size; cell++) {
      const exponent = ((cell < 8 ? low : high) >>> (4 * (cell % 8))) & 15;
      code += exponent * (this.#grid.weights[cell] as number);
    }
    return this.isCanonical ? this.#grid.canonical(code) : code;
  }

  /** Returns the board of a code. */
  boardOf(code: number): Board {
    return this.#grid.decode(code);
  }

  /** Sets the position for the other methods. */
  setPosition(code: number): void {
    this.#grid.set(code);
    this.#decode(code);
  }

  /** Returns whether the position that was set has a legal slide. */
  hasSlide(): boolean {
    for (let direction = 0; direction < DIRECTIONS.length; direction++) {
      if (this.#grid.slide(direction) >= 0) return true;
    }
    return false;
  }

  /**
   * Slides the position that was set; returns the code of the afterstate, or −1 if the slide is not
   * legal.
   *
   * @param direction index into `DIRECTIONS`
   */
  slide(direction: number): number {
    return this.isCanonical ? this.#grid.slideToCanonical(direction) : this.#grid.slide(direction);
  }

  /** Returns the points that a slide of the position that was set earns. */
  score(direction: number): number {
    return this.#grid.score(direction);
  }

  /** Sets the afterstate for {@link place}. */
  setAfterstate(code: number): void {
    this.#afterstate = code;
    this.#decode(code);
    if (this.isCanonical) this.#grid.images(code);
  }

  /** Returns the code of the position after 2^exponent is placed in an empty cell. */
  place(cell: number, exponent: number): number {
    if (this.isCanonical) return this.#grid.placeToCanonical(cell, exponent);
    return this.#afterstate + exponent * (this.#grid.weights[cell] as number);
  }

  #decode(code: number): void {
    const { base } = this.#grid;
    let rest = code;
    for (let cell = 0; cell < this.size; cell++) {
      const next = Math.floor(rest / base);
      this.cells[cell] = rest - next * base;
      rest = next;
    }
  }
}
