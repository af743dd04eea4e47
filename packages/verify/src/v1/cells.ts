import {
  applySymmetry,
  type Board,
  cellCount,
  DIRECTIONS,
  exponentOf,
  linesToward,
  type Shape,
  symmetriesToNormal,
  tileOf,
} from "@gridlock/game";

/**
 * The exponents of a board's tiles by cell, in reading order: 0 for an empty cell, k for 2^k. A
 * check makes millions of boards, and overwrites these instead of allocating each.
 */
export type Cells = Uint8Array;

/** Indices of cells in some order. */
type Order = readonly number[];

/** The points of a slide that changes nothing. */
export const ILLEGAL = -1;

const rulesOfShapes = new Map<number, CellRules>();

/** Slides and symmetries of the boards of one shape, as docs/certificate.md defines them. */
export class CellRules {
  /** Number of cells. */
  readonly size: number;
  /** For up, left, down and right: the lines of cells, each from the wall that tiles slide toward. */
  readonly directions: readonly (readonly Order[])[];
  /** For each symmetry to the normal shape: the cells whose tiles make the image, in its order. */
  readonly #images: readonly Order[];

  /** Returns the rules of a shape. */
  static of({ rows, cols }: Shape): CellRules {
    const name = 100 * rows + cols;
    const known = rulesOfShapes.get(name) ?? new CellRules({ rows, cols });
    rulesOfShapes.set(name, known);
    return known;
  }

  private constructor(shape: Shape) {
    this.size = cellCount(shape);
    this.directions = DIRECTIONS.map((direction) => linesToward(shape, direction));
    const numbered = { ...shape, cells: Array.from({ length: this.size }, (_, cell) => cell) };
    this.#images = symmetriesToNormal(shape).map(
      (symmetry) => applySymmetry(numbered, symmetry).cells,
    );
  }

  /**
   * Slides a board along the lines of a direction and writes the result.
   *
   * @returns the points earned, or {@link ILLEGAL}
   */
  slide(board: Cells, lines: readonly Order[], slid: Cells): number {
    let points = 0;
    let changed = false;
    for (const line of lines) {
      let filled = 0;
      let mayMerge = 0; // the tile before, unless it was merged
      for (const cell of line) {
        const tile = board[cell] as number;
        if (tile === 0) continue;
        if (tile === mayMerge) {
          slid[line[filled - 1] as number] = tile + 1;
          points += tileOf(tile + 1);
          mayMerge = 0;
        } else {
          slid[line[filled] as number] = tile;
          filled++;
          mayMerge = tile;
        }
      }
      for (; filled < line.length; filled++) slid[line[filled] as number] = 0;
    }
    for (let cell = 0; cell < this.size; cell++) changed ||= slid[cell] !== board[cell];
    return changed ? points : ILLEGAL;
  }

  /** Returns the order in which a board's cells make its canonical form. */
  canonicalOrder(board: Cells): Order {
    let least = this.#images[0] as Order;
    for (const image of this.#images) if (this.#isLess(board, image, least)) least = image;
    return least;
  }

  /** Returns whether one image packs to a smaller number: the last differing cell decides. */
  #isLess(board: Cells, image: Order, other: Order): boolean {
    for (let cell = this.size - 1; cell >= 0; cell--) {
      const tile = board[image[cell] as number] as number;
      const otherTile = board[other[cell] as number] as number;
      if (tile !== otherTile) return tile < otherTile;
    }
    return false;
  }
}

/** Packs the tiles of up to eight cells in an order, from its n-th on: an unsigned number of 32 bits. */
export function packEight(board: Cells, order: Order, from: number): number {
  let packed = 0;
  for (let i = Math.min(from + 8, board.length) - 1; i >= from; i--) {
    packed = (packed << 4) | (board[order[i] as number] as number);
  }
  return packed >>> 0;
}

/** Returns the cells of a board. */
export function cellsOf(board: Board): Cells {
  return Uint8Array.from(board.cells, exponentOf);
}
