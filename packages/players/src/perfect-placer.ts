import { emptyCells, place, type Shape } from "@gridlock/game";
import { type Tabulation, valueOfNode } from "@gridlock/tablebase";
import { Grid } from "./grid.js";
import type { Placer } from "./placer.js";

/**
 * Makes the placer that plays perfectly against a perfect slider: it looks up the position after
 * each placement, and takes the one with the smallest value; among equal ones, the first cell in
 * reading order, and a 2 before a 4.
 *
 * @param tabulation of the game with 2s and 4s on the shape, with the column `minimax`
 */
export function perfectPlacer(shape: Shape, tabulation: Tabulation): Placer {
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
