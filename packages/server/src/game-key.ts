import { formatShape, formatTiles, type Game, parseShape, parseTiles } from "@gridlock/game";

/** Returns the key of the threads that work on a game: `2x3 2,4`. */
export function keyOfGame({ shape, tiles }: Game): string {
  return `${formatShape(shape)} ${formatTiles(tiles)}`;
}

/** Returns the game of a key. */
export function gameOfKey(key: string): Game {
  const [shape = "", tiles = ""] = key.split(" ");
  return { shape: parseShape(shape), tiles: parseTiles(tiles) };
}
