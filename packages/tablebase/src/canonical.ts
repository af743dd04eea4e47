import {
  type Board,
  cellCount,
  exponentOf,
  mapCell,
  type Shape,
  symmetriesToNormal,
} from "@gridlock/game";

/** Cells whose exponents fit an unsigned number of 32 bits, on which bits can be shifted. */
const LOW_CELLS = 8;

/**
 * Returns a function that packs the canonical form of boards of a shape, in either orientation, as
 * a number.
 *
 * It compares the images as they are packed. A call into WebAssembly takes several times as long,
 * since it passes the board as a bigint.
 *
 * @param shape in normal form, of no more cells than a number holds
 */
export function canonicalizer(shape: Shape): (board: Board) => number {
  const cells = cellCount(shape);
  const upright = exponentPacker(shape);
  const transposed = exponentPacker({ rows: shape.cols, cols: shape.rows });
  const exponents = new Uint8Array(cells);
  return (board) => {
    for (let cell = 0; cell < cells; cell++)
      exponents[cell] = exponentOf(board.cells[cell] as number);
    return (board.rows > board.cols ? transposed : upright)(exponents);
  };
}

/**
 * Returns a function that packs the canonical form of the board of a shape whose cells have some
 * exponents, as {@link canonicalizer} does.
 */
export function exponentPacker(shape: Shape): (exponents: Uint8Array) => number {
  const cells = cellCount(shape);
  const images = sourcesOf(shape);
  return (exponents) => {
    let leastHigh = Number.POSITIVE_INFINITY;
    let leastLow = 0;
    for (const sources of images) {
      let high = 0;
      let cell = cells - 1;
      for (; cell >= LOW_CELLS; cell--) {
        high = (high << 4) | (exponents[sources[cell] as number] as number);
      }
      if (high > leastHigh) continue;
      let low = 0;
      for (; cell >= 0; cell--) low = (low << 4) | (exponents[sources[cell] as number] as number);
      low >>>= 0;
      if (high < leastHigh || low < leastLow) {
        leastHigh = high;
        leastLow = low;
      }
    }
    return leastHigh * 2 ** 32 + leastLow;
  };
}

/** Returns, for each image of a board in normal form, the cell of the board that each cell shows. */
function sourcesOf(shape: Shape): readonly Uint8Array[] {
  return symmetriesToNormal(shape).map((symmetry) => {
    const sources = new Uint8Array(cellCount(shape));
    for (let cell = 0; cell < sources.length; cell++) {
      sources[mapCell(cell, shape, symmetry)] = cell;
    }
    return sources;
  });
}
