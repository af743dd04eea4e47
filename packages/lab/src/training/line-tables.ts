import { Grid, ILLEGAL } from "@gridlock/players";
import { forLines, lineOf } from "@gridlock/players/parts";

/*
 * Lines of four cells as numbers of 16 bits, four per cell, each with the tile's exponent; the cell
 * at the first wall (the left or the upper one) has the lowest bits.
 */

const LINES = 2 ** 16;
const CELLS = 4;
const MAX_EXPONENT = 15;

/** The slides of all lines of four cells. */
export interface LineTables {
  /** The line after a slide toward the first wall, and toward the other one. */
  readonly toFirst: Uint16Array;
  readonly toLast: Uint16Array;
  /** The points that either slide earns: both merge the same pairs of tiles. */
  readonly points: Int32Array;
  /** The number of empty cells. */
  readonly empty: Uint8Array;
}

/**
 * Makes the tables from the rules. A line in which two tiles of 32,768 would merge does not move,
 * for their sum does not fit.
 */
export function makeLineTables(): LineTables {
  const toFirst = Uint16Array.from({ length: LINES }, (_, line) => line);
  const toLast = toFirst.slice();
  const points = new Int32Array(LINES);
  const empty = new Uint8Array(LINES);
  const row = new Grid({ rows: 1, cols: CELLS });
  const after = new Uint8Array(CELLS);
  forLines(CELLS, (line, exponents) => {
    empty[line] = exponents.filter((exponent) => exponent === 0).length;
    const earned = row.slide(exponents, "left", after);
    if (after.some((exponent) => exponent > MAX_EXPONENT)) return;
    toFirst[line] = lineOf(after);
    points[line] = earned === ILLEGAL ? 0 : earned;
    row.slide(exponents, "right", after);
    toLast[line] = lineOf(after);
  });
  return { toFirst, toLast, points, empty };
}
