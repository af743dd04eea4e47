import { emptyCells, formatShape, type Game, place, type Shape } from "@gridlock/game";
import { StoreError } from "@gridlock/store";
import {
  canTabulate,
  columnFileOf,
  MAX_SWEEP_CELLS,
  Tabulation,
  valueOfNode,
} from "@gridlock/tablebase";
import { PlayerError } from "./errors.js";
import { Grid } from "./grid.js";
import type { Placer } from "./placer.js";

/**
 * Makes the placer that plays best against a slider who does too: it looks up what each placement leaves, and takes the
 * one that leaves least; among equal ones the first cell in reading order, and a 2 before a 4.
 *
 * @param db the solution database, beside which the tabulation lies
 * @throws {PlayerError} if the shape is too large to be tabulated, or is not tabulated
 */
export function perfectPlacer(shape: Shape, db: string): Placer {
  const tabulation = openTabulation({ shape, tiles: [2, 4] }, db);
  const grid = new Grid(shape);
  return {
    name: "perfect",
    place(cells) {
      const after = grid.board(cells);
      let least = Number.POSITIVE_INFINITY;
      let [bestCell, bestTile] = [0, 0];
      for (const cell of emptyCells(after)) {
        for (const tile of [2, 4]) {
          const { board } = place(after, cell, tile);
          const value = valueOfNode(tabulation, "minimax", { board, turn: "slider" });
          if (value === undefined) throw new RangeError("a position of a game is not tabulated");
          if (value < least) [least, bestCell, bestTile] = [value, cell, tile / 2];
        }
      }
      cells[bestCell] = bestTile;
    },
  };
}

function openTabulation(game: Game, db: string): Tabulation {
  const shape = formatShape(game.shape);
  if (!canTabulate(game.shape)) {
    throw new PlayerError(
      `the placer perfect cannot play ${shape}: it looks up a tabulation, which has at most ${MAX_SWEEP_CELLS} cells; the placer evil plays any shape`,
    );
  }
  try {
    return Tabulation.open(game, ["minimax"], (column) => columnFileOf(db, game, column));
  } catch (error) {
    if (!(error instanceof StoreError && error.code === "missing")) throw error;
    throw new PlayerError(
      `the placer perfect needs a tabulation of ${shape} beside ${db}; run gridlock tabulate ${shape} first`,
      { cause: error },
    );
  }
}
