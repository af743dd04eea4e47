import { linesToward, type Shape } from "@gridlock/game";

/** The cells of a tuple, the one whose tile is the lowest digit of its index first. */
export type Tuple = readonly number[];

/** The most cells of a tuple: four bits a cell, so 65,536 weights. */
const TUPLE_CELLS = 4;

/**
 * Lists the tuples of a shape: its rows, its columns and all squares of 2×2. On 4×4 these are the 17
 * four-tuples of Szubert and Jaśkowski (2014). A line of two or three cells is a tuple of that many; a
 * line of more than four gives one tuple for every four neighbouring cells. A line of one cell gives
 * none.
 */
export function tuplesOf(shape: Shape): Tuple[] {
  const rows = linesToward(shape, "left");
  const columns = linesToward(shape, "up");
  return [...[...rows, ...columns].flatMap(partsOf), ...squaresOf(shape)];
}

function partsOf(line: readonly number[]): Tuple[] {
  if (line.length === 1) return [];
  const parts: Tuple[] = [];
  for (let first = 0; first === 0 || first + TUPLE_CELLS <= line.length; first++) {
    parts.push(line.slice(first, first + TUPLE_CELLS));
  }
  return parts;
}

function squaresOf({ rows, cols }: Shape): Tuple[] {
  const squares: Tuple[] = [];
  for (let row = 0; row + 1 < rows; row++) {
    for (let col = 0; col + 1 < cols; col++) {
      const first = row * cols + col;
      squares.push([first, first + 1, first + cols, first + cols + 1]);
    }
  }
  return squares;
}
