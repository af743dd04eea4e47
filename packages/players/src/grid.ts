import {
  type Board,
  cellCount,
  DIRECTIONS,
  type Direction,
  exponentOf,
  linesToward,
  type Shape,
  tileOf,
} from "@gridlock/game";
import type { Cells } from "./player.js";

/** The score of an illegal slide. */
export const ILLEGAL = -1;

/** Returns the number of empty cells. */
export function countEmpty(cells: Cells): number {
  let empty = 0;
  for (const exponent of cells) if (exponent === 0) empty++;
  return empty;
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
  readonly #lines: Readonly<Record<Direction, readonly (readonly number[])[]>>;

  constructor(shape: Shape) {
    this.shape = shape;
    this.size = cellCount(shape);
    const [up = [], left = [], down = [], right = []] = DIRECTIONS.map((name) =>
      linesToward(shape, name),
    );
    this.#lines = { up, left, down, right };
  }

  /**
   * Slides `from` in a direction and writes the result to `to`, which must be another array.
   * Returns the points earned, or {@link ILLEGAL} if nothing moves; `to` then equals `from`.
   */
  slide(from: Cells, direction: Direction, to: Cells): number {
    let score = 0;
    let hasMoved = false;
    for (const line of this.#lines[direction]) {
      let end = 0;
      let last = 0; // the tile before `end` if it can still merge
      for (let i = 0; i < line.length; i++) {
        const tile = from[line[i] as number] as number;
        if (tile === 0) continue;
        if (tile === last) {
          to[line[end - 1] as number] = tile + 1;
          score += 2 ** (tile + 1);
          last = 0;
          hasMoved = true;
        } else {
          to[line[end] as number] = tile;
          if (end !== i) hasMoved = true;
          end++;
          last = tile;
        }
      }
      while (end < line.length) to[line[end++] as number] = 0;
    }
    return hasMoved ? score : ILLEGAL;
  }

  /** Returns the cells of a board of this shape. */
  cells(board: Board): Cells {
    return Uint8Array.from(board.cells, exponentOf);
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
