import { slideLine } from "@gridlock/game";

/*
 * Lines of four cells as numbers of 16 bits, four a cell, each with the tile's exponent; the cell at
 * the first wall (the left or the upper one) has the lowest bits.
 */

const LINES = 2 ** 16;
const CELLS = 4;
/** The largest tile that four bits hold. */
const MAX_TILE = 2 ** 15;

/** What becomes of each line of four cells. */
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
 * Makes the tables from the rules. A line in which two tiles of 32,768 would merge does not move, for
 * their sum does not fit.
 */
export function makeLineTables(): LineTables {
  const toFirst = new Uint16Array(LINES);
  const toLast = new Uint16Array(LINES);
  const points = new Int32Array(LINES);
  const empty = new Uint8Array(LINES);
  for (let line = 0; line < LINES; line++) {
    const tiles = tilesOf(line);
    const slid = slideLine(tiles);
    const fits = slid.line.every((tile) => tile <= MAX_TILE);
    toFirst[line] = fits ? lineOf(slid.line) : line;
    toLast[reversed(line)] = reversed(toFirst[line] as number);
    points[line] = fits ? slid.score : 0;
    empty[line] = tiles.filter((tile) => tile === 0).length;
  }
  return { toFirst, toLast, points, empty };
}

function tilesOf(line: number): number[] {
  return Array.from({ length: CELLS }, (_, cell) => {
    const exponent = (line >> (4 * cell)) & 15;
    return exponent === 0 ? 0 : 2 ** exponent;
  });
}

function lineOf(tiles: readonly number[]): number {
  return tiles.reduce(
    (line, tile, cell) => line | (tile === 0 ? 0 : Math.log2(tile) << (4 * cell)),
    0,
  );
}

function reversed(line: number): number {
  return (
    ((line & 0x000f) << 12) |
    ((line & 0x00f0) << 4) |
    ((line & 0x0f00) >> 4) |
    ((line & 0xf000) >> 12)
  );
}
