import {
  type Board,
  cellCount,
  DIRECTIONS,
  type Direction,
  linesToward,
  type Shape,
} from "@gridlock/game";
import type { Cells } from "./player.js";

/** The score of an illegal slide. */
export const ILLEGAL = -1;

/** Returns the tile of an exponent, 0 for an empty cell. */
export function tileOf(exponent: number): number {
  return exponent === 0 ? 0 : 2 ** exponent;
}

/**
 * The rules of sliding for a search, which need not be those of the game. {@link Grid} is
 * one implementation.
 */
export interface Slider {
  /** Slides `from` and writes the result to `to`; returns the points earned, or `ILLEGAL`. */
  slide(from: Cells, direction: Direction, to: Cells): number;
}

/** Makes the slider of a shape. */
export type SliderMaker = (shape: Shape) => Slider;

/** The rules of sliding on {@link Cells}, for one shape. */
export class Grid {
  readonly shape: Shape;
  /** The number of cells. */
  readonly size: number;
  /**
   * For each direction its lines, one after another, each starting at the wall that tiles slide
   * toward.
   */
  readonly #order: Readonly<Record<Direction, Uint8Array>>;
  readonly #lengths: Readonly<Record<Direction, number>>;

  constructor(shape: Shape) {
    this.shape = shape;
    this.size = cellCount(shape);
    const order = (direction: Direction) => Uint8Array.from(linesToward(shape, direction).flat());
    this.#order = {
      up: order("up"),
      left: order("left"),
      down: order("down"),
      right: order("right"),
    };
    this.#lengths = { up: shape.rows, down: shape.rows, left: shape.cols, right: shape.cols };
  }

  /**
   * Slides `from` in a direction and writes the result to `to`, which must be another array.
   * Returns the points earned, or {@link ILLEGAL} if nothing moves; `to` then equals `from`.
   */
  slide(from: Cells, direction: Direction, to: Cells): number {
    const order = this.#order[direction];
    const length = this.#lengths[direction];
    let score = 0;
    let hasMoved = false;
    for (let first = 0; first < order.length; first += length) {
      let end = first;
      let last = 0; // the tile before `end` if it can still merge
      for (let i = first; i < first + length; i++) {
        const tile = from[order[i] as number] as number;
        if (tile === 0) continue;
        if (tile === last) {
          to[order[end - 1] as number] = tile + 1;
          score += 2 ** (tile + 1);
          last = 0;
          hasMoved = true;
        } else {
          to[order[end] as number] = tile;
          if (end !== i) hasMoved = true;
          end++;
          last = tile;
        }
      }
      while (end < first + length) to[order[end++] as number] = 0;
    }
    return hasMoved ? score : ILLEGAL;
  }

  /** Returns the cells of a board of this shape. */
  cells(board: Board): Cells {
    return Uint8Array.from(board.cells, (tile) => (tile === 0 ? 0 : Math.log2(tile)));
  }

  /** Returns the board of cells. */
  board(cells: Cells): Board {
    return { ...this.shape, cells: Array.from(cells, tileOf) };
  }
}

/** Returns whether no slide of a position is legal. */
export function isEnd(cells: Cells, slider: Slider): boolean {
  const after = new Uint8Array(cells.length);
  return DIRECTIONS.every((direction) => slider.slide(cells, direction, after) === ILLEGAL);
}
