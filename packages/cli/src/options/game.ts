import {
  describeGame,
  formatShape,
  type Game,
  largestTile,
  parseShape,
  type Tiles,
} from "@gridlock/game";
import { UsageError } from "../exit.js";

/** Makes a game of a shape argument and the tiles option. */
export function gameOf(shape: string, tiles: Tiles): Game {
  return { shape: parseShape(shape), tiles };
}

/** Returns the arguments of a command for a game: `solve 2x3 --tiles 2`. */
export function commandOf(command: string, { shape, tiles }: Game): string {
  return `${command} ${formatShape(shape)}${tiles.length === 1 ? " --tiles 2" : ""}`;
}

/** Returns the error for a database in which the game has not been solved yet. */
export function holdsNothing(file: string, game: Game): UsageError {
  return new UsageError(
    `${file} has no results of ${describeGame(game)}; run gridlock ${commandOf("solve", game)} first`,
  );
}

/**
 * Checks that play can make a tile.
 *
 * @throws {UsageError} when the tile is larger than the largest
 */
export function expectTile(game: Game, tile: number): void {
  const largest = largestTile(game);
  if (tile <= largest) return;
  throw new UsageError(
    `no play on ${describeGame(game)} makes a tile of ${tile}; expected at most ${largest}`,
  );
}
