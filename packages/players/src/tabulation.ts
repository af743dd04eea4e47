import { describeGame, formatShape, type Game } from "@gridlock/game";
import { StoreError } from "@gridlock/store";
import {
  canTabulate,
  columnFileOf,
  MAX_SWEEP_CELLS,
  Tabulation,
  type ValueColumn,
} from "@gridlock/tablebase";
import { PlayerError } from "./player.js";

/**
 * Opens the tabulation of a game beside a database.
 *
 * @param who the user of the tabulation, for errors
 * @throws {PlayerError} if the shape is too large to be tabulated, or is not tabulated
 * @throws {StoreError} if a file cannot be used
 */
export function openTabulation(
  who: string,
  game: Game,
  columns: readonly ValueColumn[],
  db: string,
): Tabulation {
  if (!canTabulate(game.shape)) {
    throw new PlayerError(
      `${who} cannot play ${describeGame(game)}: it looks up a tabulation, which has at most ${MAX_SWEEP_CELLS} cells`,
    );
  }
  try {
    return Tabulation.open(game, columns, (column) => columnFileOf(db, game, column));
  } catch (error) {
    if (!(error instanceof StoreError && error.code === "missing")) throw error;
    const options = game.tiles.length === 1 ? " --tiles 2" : "";
    throw new PlayerError(
      `${who} needs a tabulation of ${describeGame(game)} beside ${db}; run gridlock tabulate ${formatShape(game.shape)}${options} first`,
      { cause: error },
    );
  }
}
