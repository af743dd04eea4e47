import type { Board } from "./board.js";
import { exponentOf } from "./pack.js";
import { cellCount, type Game, type Shape } from "./shape.js";

/**
 * N_lo of Qiu's Table 1: the fewest points that making a tile can have earned, when every 4 in it
 * was placed: (k − 2)·2^k for the tile 2^k, and 0 for a 2.
 */
export function fewestPoints(tile: number): number {
  return Math.max(0, (exponentOf(tile) - 2) * tile);
}

/**
 * N_up of Qiu's Table 1: the most points that making a tile can have earned, when only 2s were
 * placed: (k − 1)·2^k for the tile 2^k.
 */
export function mostPoints(tile: number): number {
  return tile === 0 ? 0 : (exponentOf(tile) - 1) * tile;
}

/**
 * The largest tile that any play can make, when both players work for it. The last merge needs the
 * chain X/2, X/4, … down to the last tile placed, each in a cell of its own: with 4s, 2^(cells + 1);
 * with 2s only, 2^cells, or 8 on two cells, where the start may hold two 4s.
 */
export function largestTile(game: Game): number {
  const cells = cellCount(game.shape);
  return game.tiles.length === 2 ? 2 ** (cells + 1) : Math.max(2 ** cells, 8);
}

/** The largest tile sum any play reaches: the cells hold 4, 8, … up to the largest tile. */
export function largestTileSum(shape: Shape): number {
  return 2 ** (cellCount(shape) + 2) - 4;
}

/**
 * Returns a number of points that no play from this board can exceed. With φ the sum of {@link mostPoints} over the
 * tiles, a merge earns exactly what it adds to φ, a placed 2 adds nothing and a placed 4 adds 4 that
 * nobody earns; so the points to come are at most φ(end) − φ(board), and no end has a larger φ than
 * the board of 4, 8, … 2^(cells + 1).
 */
export function mostPointsToCome(board: Board): number {
  let ceiling = 0;
  for (let k = 2; k <= cellCount(board) + 1; k++) ceiling += mostPoints(2 ** k);
  return ceiling - board.cells.reduce((sum, tile) => sum + mostPoints(tile), 0);
}
