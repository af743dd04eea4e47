import {
  CHANCE_OF_FOUR,
  DIRECTIONS,
  type Direction,
  linesToward,
  type Shape,
  tileOf,
} from "@gridlock/game";
import { countEmpty, ILLEGAL, type SlideRule } from "./cell-rules.js";
import type { Cells } from "./player.js";

/** The probabilities of the tiles that are placed, by exponent. */
export const CHANCES = [
  [1, 1 - CHANCE_OF_FOUR],
  [2, CHANCE_OF_FOUR],
] as const;

/**
 * Boards of one shape for a search, in frames: it has one for each slide that it looks ahead. The
 * first frame is at 0, and the one after that at `at` is at `at + width`.
 */
export abstract class Boards {
  abstract readonly width: number;

  constructor(
    readonly rows: number,
    readonly cols: number,
  ) {}

  /** Writes a board to the first frame. */
  abstract load(cells: Cells): void;
  /** Returns whether a cell of the frame at `at` is empty. */
  abstract isEmpty(at: number, row: number, col: number): boolean;
  /** Puts a tile into a cell of the frame at `at`, or empties it: an exponent of 0. */
  abstract put(at: number, row: number, col: number, exponent: number): void;
  /** The number of empty cells of the frame at `at`. */
  abstract emptyCells(at: number): number;
  /** The exponent of the largest tile of the frame at `at`, 0 on an empty board. */
  abstract largest(at: number): number;
  /** The sum of the tiles of a row or, after the rows, a column of the frame at `at`. */
  abstract sumOfLine(at: number, line: number): number;
  /**
   * Slides the board of the frame at `at` and writes the result to the next frame. Returns the
   * points that the slide earns, or `ILLEGAL`; the next frame then has no board.
   *
   * @param direction an index of `DIRECTIONS`
   */
  abstract slide(at: number, direction: number): number;

  /** Returns whether no slide of the board of the frame at `at` is legal. */
  isLost(at: number): boolean {
    for (let i = 0; i < DIRECTIONS.length; i++) if (this.slide(at, i) !== ILLEGAL) return false;
    return true;
  }

  /**
   * Makes each placement on the board of the frame at `at`, calls `visit` with the chance of its
   * tile, and undoes it. Returns the sum of the calls' results.
   */
  forPlacements(at: number, visit: (chance: number) => number): number {
    let sum = 0;
    for (let row = 0; row < this.rows; row++) {
      for (let col = 0; col < this.cols; col++) {
        if (!this.isEmpty(at, row, col)) continue;
        for (const [exponent, chance] of CHANCES) {
          this.put(at, row, col, exponent);
          sum += visit(chance);
        }
        this.put(at, row, col, 0);
      }
    }
    return sum;
  }
}

/** Boards of any shape, with tiles of any size. */
export class CellBoards extends Boards {
  readonly width = 1;
  /** The cells of each frame. */
  readonly frames: readonly Cells[];
  readonly #shape: Shape;
  readonly #slideRule: SlideRule;
  /** The cells of the rows, and then of the columns. */
  readonly #lines: readonly (readonly number[])[];

  /** @param frames the number of frames */
  constructor(shape: Shape, slideRule: SlideRule, frames: number) {
    super(shape.rows, shape.cols);
    this.frames = Array.from({ length: frames }, () => new Uint8Array(this.rows * this.cols));
    this.#shape = shape;
    this.#slideRule = slideRule;
    this.#lines = [...linesToward(shape, "left"), ...linesToward(shape, "up")];
  }

  load(cells: Cells): void {
    this.#frame(0).set(cells);
  }

  isEmpty(at: number, row: number, col: number): boolean {
    return this.#frame(at)[row * this.cols + col] === 0;
  }

  put(at: number, row: number, col: number, exponent: number): void {
    this.#frame(at)[row * this.cols + col] = exponent;
  }

  emptyCells(at: number): number {
    return countEmpty(this.#frame(at));
  }

  largest(at: number): number {
    return Math.max(...this.#frame(at));
  }

  sumOfLine(at: number, line: number): number {
    const cells = this.#frame(at);
    let sum = 0;
    for (const cell of this.#lines[line] as readonly number[]) sum += tileOf(cells[cell] as number);
    return sum;
  }

  slide(at: number, direction: number): number {
    const name = DIRECTIONS[direction] as Direction;
    return this.#slideRule(this.#shape, this.#frame(at), name, this.#frame(at + 1));
  }

  #frame(at: number): Cells {
    return this.frames[at] as Cells;
  }
}

/** A heuristic on boards in frames. */
export interface Horizon {
  /** Returns the worth of the board of the frame at `at`. */
  value(at: number): number;
  /**
   * Returns the sum of the worths of all boards after a placement on that of the frame at `at`,
   * each times the chance of its tile: 0.9 for a 2 and 0.1 for a 4. So all boards of the last
   * placement cost little more than one. It is `undefined` if that takes each board by itself.
   *
   * @param empty the number of empty cells
   */
  sum?(at: number, empty: number): number | undefined;
  /**
   * Returns the least worth of the boards after a placement on that of the frame at `at`, or any
   * worth that is at most `enough`; `undefined` if that takes each board by itself.
   */
  least?(at: number, enough: number): number | undefined;
}
