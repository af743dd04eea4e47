import type { SolvedStart } from "@gridlock/answers";
import {
  describeGame,
  formatShape,
  type Game,
  isExact,
  largestTile,
  parseShape,
  type Tiles,
} from "@gridlock/game";
import { counted } from "@gridlock/report";
import { storedStarts } from "@gridlock/solver";
import { type Database, MEMORY } from "@gridlock/store";
import { UsageError } from "../exit.js";
import { DEFAULT_DB } from "./options.js";

/** Makes a game of a shape argument and the tiles option. */
export function gameOf(shape: string, tiles: Tiles): Game {
  return { shape: parseShape(shape), tiles };
}

/** Returns the arguments of a command for a game: `solve 2x3 --tiles 2`. */
export function commandOf(command: string, { shape, tiles }: Game): string {
  return `${command} ${formatShape(shape)}${tiles.length === 1 ? " --tiles 2" : ""}`;
}

/** Returns a command line for a game in a database. */
export function commandIn(db: string, command: string, game: Game): string {
  return `gridlock ${commandOf(command, game)}${db === DEFAULT_DB ? "" : ` --db ${db}`}`;
}

/**
 * Returns a sentence on how to find lines of best play for solved starts that lack them;
 * `undefined` if no start does, or if the database could not keep them.
 */
export function howToFindLines(
  game: Game,
  starts: readonly SolvedStart[],
  database: Database,
): string | undefined {
  const { file } = database;
  const lacking = starts.filter(({ bound, line }) => isExact(bound) && line === undefined).length;
  if (lacking === 0 || file === MEMORY) return undefined;
  const isSolved = storedStarts(game, database).every(({ bound }) => isExact(bound));
  const command = commandIn(file, isSolved ? "prove" : "solve", game);
  return `no line of best play is known yet from ${counted(lacking, "start")}; to find them: ${command}`;
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
