import { Grid } from "@gridlock/enumeration";
import type { Board, Shape } from "@gridlock/game";
import type { Cells } from "@gridlock/players";

/**
 * The boards of a shape as the numbers of `enumeration`, either each board by itself or one for all
 * images of a board.
 */
export class Boards {
  readonly grid: Grid;
  /** The cells of the last board set. */
  readonly cells: Cells;
  #afterstate = 0;

  /**
   * @param isCanonical whether a board stands for its images
   * @throws {RangeError} if the shape has too many boards; see {@link Grid}
   */
  constructor(
    shape: Shape,
    readonly isCanonical: boolean,
  ) {
    this.grid = new Grid(shape);
    this.cells = new Uint8Array(this.grid.cells);
  }

  /** Returns the code of a board, which may be that of an image. */
  codeOf(board: Board): number {
    const code = this.grid.encode(board);
    return this.isCanonical ? this.grid.canonical(code) : code;
  }

  /** Sets the position for {@link slide} and the grid's `score`. */
  setPosition(code: number): void {
    this.grid.set(code);
    this.#decode(code);
  }

  /**
   * Slides the position that was set; returns the code of the afterstate, or `ILLEGAL`.
   *
   * @param direction index into `DIRECTIONS`
   */
  slide(direction: number): number {
    return this.isCanonical ? this.grid.slideToCanonical(direction) : this.grid.slide(direction);
  }

  /** Sets the afterstate for {@link place}. */
  setAfterstate(code: number): void {
    this.#afterstate = code;
    this.#decode(code);
    if (this.isCanonical) this.grid.images(code);
  }

  /** Returns the code of the position after 2^exponent is placed in an empty cell. */
  place(cell: number, exponent: number): number {
    if (this.isCanonical) return this.grid.placeToCanonical(cell, exponent);
    return this.#afterstate + exponent * (this.grid.weights[cell] as number);
  }

  #decode(code: number): void {
    const { base } = this.grid;
    let rest = code;
    for (let cell = 0; cell < this.cells.length; cell++) {
      const next = Math.floor(rest / base);
      this.cells[cell] = rest - next * base;
      rest = next;
    }
  }
}
