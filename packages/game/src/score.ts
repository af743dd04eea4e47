import type { Board } from "./board.js";
import { exponentOf } from "./pack.js";
import { cellCount, type Game, type Shape } from "./shape.js";

/**
 * Returns the fewest points that making a tile can have earned, namely when every 4 in it was
 * placed: (k − 2)·2^k for the tile 2^k, whose k − 2 levels of merges earn 2^k each, and 0 for a 2.
 * This is N_lo of Qiu's Table 1.
 */
export function fewestPoints(tile: number): number {
  return Math.max(0, (exponentOf(tile) - 2) * tile);
}

/**
 * Returns the most points that making a tile can have earned, namely when only 2s were placed:
 * (k − 1)·2^k for the tile 2^k. This is N_up of Qiu's Table 1.
 */
export function mostPoints(tile: number): number {
  return tile === 0 ? 0 : (exponentOf(tile) - 1) * tile;
}

/**
 * Returns the largest tile that play can make if both players cooperate. The last merge needs the
 * chain X/2, X/4, … down to the last tile placed, each in a cell of its own: with 4s, 2^(cells +
 * 1); with 2s only, 2^cells, or 8 on two cells, where the start may hold two 4s.
 */
export function largestTile(game: Game): number {
  const cells = cellCount(game.shape);
  return game.tiles.length === 2 ? 2 ** (cells + 1) : Math.max(2 ** cells, 8);
}

/**
 * Returns the largest tile sum that play can reach: the cells hold 4, 8, … up to the largest tile.
 */
export function largestTileSum(shape: Shape): number {
  return 2 ** (cellCount(shape) + 2) - 4;
}

/**
 * Returns a number of points that no play from this board can exceed. Let φ be the sum of
 * {@link mostPoints} over the tiles. A merge earns exactly what it adds to φ; a placed 2 adds
 * nothing to φ, and a placed 4 adds 4 that nobody earns. So the points to come are at most φ(end) −
 * φ(board), and no end has a larger φ than the board of 4, 8, … 2^(cells + 1).
 */
export function mostPointsToCome(board: Board): number {
  let ceiling = 0;
  for (let k = 2; k <= cellCount(board) + 1; k++) ceiling += mostPoints(2 ** k);
  return ceiling - board.cells.reduce((sum, tile) => sum + mostPoints(tile), 0);
}
