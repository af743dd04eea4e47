import { type Game, parseShape, starts } from "@gridlock/game";
import { Database } from "@gridlock/store";

/** Enters games with the tiles 2 and 4 in a database as new solves do; makes a missing file. */
export function beginSolves(file: string, ...shapes: readonly string[]): void {
  using database = Database.open(file);
  for (const shape of shapes) {
    const game: Game = { shape: parseShape(shape), tiles: [2, 4] };
    database.addStarts(game, starts(game.shape));
  }
}
