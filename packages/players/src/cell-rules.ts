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

/** The slides of a search, which need not be those of the game; see {@link CellRules.slide}. */
export type SlideRule = (shape: Shape, from: Cells, direction: Direction, to: Cells) => number;

/**
 * Slides as the game does.
 *
 * @param overGaps false if tiles with empty cells between them do not merge
 */
export function slideCells(
  shape: Shape,
  from: Cells,
  direction: Direction,
  to: Cells,
  overGaps = true,
): number {
  let score = 0;
  let hasMoved = false;
  for (const line of linesToward(shape, direction)) {
    let end = 0;
    let last = 0; // the tile before `end` if it can still merge
    for (let i = 0; i < line.length; i++) {
      const tile = from[line[i] as number] as number;
      if (tile === 0) {
        if (!overGaps) last = 0;
        continue;
      }
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

/** The rules of sliding on {@link Cells}, for one shape. */
export class CellRules {
  /** The number of cells. */
  readonly size: number;

  constructor(readonly shape: Shape) {
    this.size = cellCount(shape);
  }

  /**
   * Slides `from` in a direction and writes the result to `to`, which must be another array.
   * Returns the points earned, or {@link ILLEGAL} if nothing moves; `to` then equals `from`.
   */
  slide(from: Cells, direction: Direction, to: Cells): number {
    return slideCells(this.shape, from, direction, to);
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

/**
 * Returns the legal slides of a position that are worth most, one bit each in the order of
 * `DIRECTIONS`; 0 if none is legal.
 *
 * @param worthOf returns the worth of a slide, given its points and the board after it, which the
 *   next slide overwrites
 */
export function bestSlides(
  cells: Cells,
  cellRules: CellRules,
  worthOf: (points: number, after: Cells) => number,
): number {
  const after = new Uint8Array(cells.length);
  let [most, best] = [Number.NEGATIVE_INFINITY, 0];
  DIRECTIONS.forEach((direction, i) => {
    const points = cellRules.slide(cells, direction, after);
    if (points === ILLEGAL) return;
    const worth = worthOf(points, after);
    if (worth > most) [most, best] = [worth, 1 << i];
    else if (worth === most) best |= 1 << i;
  });
  return best;
}

/** Returns whether no slide of a position is legal. */
export function isEnd(cells: Cells, cellRules: CellRules): boolean {
  const after = new Uint8Array(cells.length);
  return DIRECTIONS.every((direction) => cellRules.slide(cells, direction, after) === ILLEGAL);
}
