import type { Board } from "./board.js";
import { type PackedBoard, packBoard } from "./pack.js";
import { cellCount, type Shape } from "./shape.js";
import type { Direction } from "./slide.js";

/**
 * A symmetry of the grid: transpose first, then reverse the order of the rows, of the columns, or
 * of both. A square has all 8; a rectangle keeps its shape under the 4 that do not transpose.
 */
export interface Symmetry {
  readonly transpose: boolean;
  readonly flipRows: boolean;
  readonly flipCols: boolean;
}

/** All 8 symmetries, the identity first. */
export const SYMMETRIES: readonly Symmetry[] = [false, true].flatMap((transpose) =>
  [false, true].flatMap((flipRows) =>
    [false, true].map((flipCols) => ({ transpose, flipRows, flipCols })),
  ),
);

/** Returns the image of a board under a symmetry. */
export function applySymmetry(board: Board, symmetry: Symmetry): Board {
  const cells = board.cells.slice();
  for (let cell = 0; cell < cells.length; cell++) {
    cells[mapCell(cell, board, symmetry)] = board.cells[cell] as number;
  }
  const { rows, cols } = board;
  return symmetry.transpose ? { rows: cols, cols: rows, cells } : { rows, cols, cells };
}

/** Returns the image of a slide's direction under a symmetry. */
export function mapDirection(direction: Direction, symmetry: Symmetry): Direction {
  let vertical = direction === "up" || direction === "down";
  let toFirst = direction === "up" || direction === "left";
  if (symmetry.transpose) vertical = !vertical;
  if (vertical ? symmetry.flipRows : symmetry.flipCols) toFirst = !toFirst;
  if (vertical) return toFirst ? "up" : "down";
  return toFirst ? "left" : "right";
}

/** Returns the inverse of a symmetry: the opposite quarter turn, or else the symmetry itself. */
export function inverseSymmetry(symmetry: Symmetry): Symmetry {
  if (!symmetry.transpose) return symmetry;
  return { transpose: true, flipRows: symmetry.flipCols, flipCols: symmetry.flipRows };
}

/** Returns the symmetry that applies `first`, then `second`. */
export function composeSymmetries(first: Symmetry, second: Symmetry): Symmetry {
  // A transposition turns a flip of rows into a flip of columns, and vice versa.
  const flipRows = second.transpose ? first.flipCols : first.flipRows;
  const flipCols = second.transpose ? first.flipRows : first.flipCols;
  return {
    transpose: first.transpose !== second.transpose,
    flipRows: flipRows !== second.flipRows,
    flipCols: flipCols !== second.flipCols,
  };
}

/** Returns the image of a cell of a board of this shape under a symmetry. */
export function mapCell(cell: number, shape: Shape, symmetry: Symmetry): number {
  let rows = shape.rows;
  let cols = shape.cols;
  let row = Math.floor(cell / cols);
  let col = cell % cols;
  if (symmetry.transpose) {
    [rows, cols] = [cols, rows];
    [row, col] = [col, row];
  }
  if (symmetry.flipRows) row = rows - 1 - row;
  if (symmetry.flipCols) col = cols - 1 - col;
  return row * cols + col;
}

/** Returns the place of each cell in the image of a board of this shape under a symmetry. */
export function cellPlaces(shape: Shape, symmetry: Symmetry): number[] {
  return Array.from({ length: cellCount(shape) }, (_, cell) => mapCell(cell, shape, symmetry));
}

const TRANSPOSING = SYMMETRIES.filter(({ transpose }) => transpose);
const NOT_TRANSPOSING = SYMMETRIES.filter(({ transpose }) => !transpose);

/** Lists the symmetries under which a board keeps its shape, the identity first. */
export function symmetriesOf({ rows, cols }: Shape): readonly Symmetry[] {
  return rows === cols ? SYMMETRIES : NOT_TRANSPOSING;
}

/** Lists the symmetries that give a board the normal shape, with no more rows than columns. */
export function symmetriesToNormal(shape: Shape): readonly Symmetry[] {
  return shape.rows > shape.cols ? TRANSPOSING : symmetriesOf(shape);
}

/**
 * Returns the canonical form: of the images in normal shape, the one with the smallest packed
 * board. Two boards have the same canonical form exactly when they are images of each other.
 */
export function canonical(board: Board): Board {
  const images = symmetriesToNormal(board).map((symmetry) => applySymmetry(board, symmetry));
  return images.reduce((least, image) => (isLess(image, least) ? image : least));
}

/**
 * Returns whether a board packs to a smaller number than another: the last differing cell decides.
 */
function isLess(board: Board, other: Board): boolean {
  const cell = board.cells.findLastIndex((tile, i) => tile !== other.cells[i]);
  return cell >= 0 && (board.cells[cell] as number) < (other.cells[cell] as number);
}

/** Returns a symmetry that takes a board to its canonical form `packed`. */
export function symmetryToCanonical(board: Board, packed: PackedBoard): Symmetry {
  const found = symmetriesToNormal(board).find(
    (symmetry) => packBoard(applySymmetry(board, symmetry)) === packed,
  );
  if (found === undefined) throw new RangeError("the packed board is not an image of the board");
  return found;
}
