import { GameError } from "./errors.js";
import { quoted } from "./quoted.js";

/** Rows × columns of a board, 2 to 16 cells. */
export interface Shape {
  readonly rows: number;
  readonly cols: number;
}

/**
 * The tiles that the placer may place: `[2, 4]` in the game, `[2]` in the variant of Qiu's Figure
 * 9.
 */
export type Tiles = readonly [2, 4] | readonly [2];

/** A shape together with the tiles that the placer may use. Gridlock solves games. */
export interface Game {
  readonly shape: Shape;
  readonly tiles: Tiles;
}

/** The fewest cells of a shape: a start has two tiles. */
export const MIN_CELLS = 2;
/** The most cells of a shape: the 4×4 of the original game. */
export const MAX_CELLS = 16;

/** Returns the number of cells of a shape. */
export function cellCount(shape: Shape): number {
  return shape.rows * shape.cols;
}

/**
 * Returns the shape or its transpose, whichever has no more rows than columns: 3×2 and 2×3 are one
 * game.
 */
export function normalShape(shape: Shape): Shape {
  return shape.rows <= shape.cols ? shape : { rows: shape.cols, cols: shape.rows };
}

/**
 * Reads `3x3` (or `3×3`): rows, then columns.
 *
 * @throws {GameError} `bad-shape` when the text is not a shape of 2 to 16 cells.
 */
export function parseShape(text: string): Shape {
  const match = /^\s*(\d{1,6})\s*[x×]\s*(\d{1,6})\s*$/i.exec(text);
  if (!match) {
    throw new GameError(
      "bad-shape",
      `${quoted(text)} is not a shape; expected rows x columns, such as 3x3 or 2x4`,
    );
  }
  const shape = { rows: Number(match[1]), cols: Number(match[2]) };
  const cells = cellCount(shape);
  if (cells < MIN_CELLS || cells > MAX_CELLS) {
    throw new GameError(
      "bad-shape",
      `${formatShape(shape)} has ${cells} cell${cells === 1 ? "" : "s"}; a shape has ${MIN_CELLS} to ${MAX_CELLS}, such as 1x4, 3x3 or 4x4`,
    );
  }
  return shape;
}

/** Writes a shape as `3x3`; the inverse of {@link parseShape}. */
export function formatShape(shape: Shape): string {
  return `${shape.rows}x${shape.cols}`;
}

/**
 * Reads the tiles that the placer may place: `2,4` or `2`.
 *
 * @throws {GameError} `bad-tiles` for anything else.
 */
export function parseTiles(text: string): Tiles {
  const compact = text.replaceAll(/\s/g, "");
  if (compact === "2,4" || compact === "4,2") return [2, 4];
  if (compact === "2") return [2];
  throw new GameError(
    "bad-tiles",
    `${quoted(text)} is not a tile set; expected 2,4 (the game) or 2 (the placer has only 2s)`,
  );
}

/** Returns a tile set as one bit for each tile's exponent. */
export function tileBits(tiles: Tiles): number {
  return tiles.reduce((bits, tile) => bits | (1 << Math.log2(tile)), 0);
}

/** Writes a tile set as `2,4` or `2`; the inverse of {@link parseTiles}. */
export function formatTiles(tiles: Tiles): string {
  return tiles.join(",");
}

/** Describes a game in words: `3x3`, or `2x3 with 2s only`. */
export function describeGame(game: Game): string {
  return formatShape(game.shape) + (game.tiles.length === 1 ? " with 2s only" : "");
}
