import { formatShape, type Game } from "@gridlock/game";

/** The shapes whose solution a site has: they take some seconds together. */
export const SOLVED_SHAPES = ["2x2", "2x3", "2x4", "2x5", "3x3"];
export const SOLVED_TILES = [2, 4] as const;

/** Returns the file with a game's solution, beside the worker; `undefined` if a site has none. */
export function tableOf({ shape, tiles }: Game): string | undefined {
  const name = formatShape(shape);
  const isSolved = SOLVED_SHAPES.includes(name) && String(tiles) === String(SOLVED_TILES);
  return isSolved ? `tables/${name}-${tiles.join("-")}.bin` : undefined;
}
