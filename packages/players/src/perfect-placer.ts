import { emptyCells, place, type Shape } from "@gridlock/game";
import { valueOfNode } from "@gridlock/tablebase";
import { Grid } from "./grid.js";
import type { Placer } from "./placer.js";
import { openTabulation } from "./tabulation.js";

/**
 * Makes the placer that plays perfectly against a perfect slider: it looks up the position after
 * each placement, and takes the one with the smallest value; among equal ones, the first cell in
 * reading order, and a 2 before a 4.
 *
 * @param db the solution database, beside which the tabulation lies
 * @throws {PlayerError} if the shape is too large to be tabulated, or is not tabulated
 */
export function perfectPlacer(shape: Shape, db: string): Placer {
  const tabulation = openTabulation(
    "the placer perfect",
    { shape, tiles: [2, 4] },
    ["minimax"],
    db,
  );
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
