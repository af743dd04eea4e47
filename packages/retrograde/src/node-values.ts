import { emptyCells, type Node, place } from "@gridlock/game";
import type { ValueColumn } from "./columns.js";
import { tileChances } from "./random-start.js";
import type { Tabulation } from "./tabulation.js";

/**
 * What a column of a tabulation tells of a node. Afterstates are not in it: against the placer one is worth its worst
 * placement, against chance what its placements are worth on average.
 *
 * @returns `undefined` when play from the starts does not lead to the position, or to one after a placement
 * @throws {StoreError} `damaged` when what is read is not what was written
 */
export function valueOfNode(
  tabulation: Tabulation,
  column: ValueColumn,
  { board, turn }: Node,
): number | undefined {
  if (turn === "slider") {
    const found = tabulation.find(board);
    return found && tabulation.value(column, found);
  }
  const cells = emptyCells(board);
  let worst = Number.POSITIVE_INFINITY;
  let average = 0;
  for (const [tile, chance] of tileChances(tabulation.game)) {
    for (const cell of cells) {
      const found = tabulation.find(place(board, cell, tile).board);
      if (found === undefined) return undefined;
      const value = tabulation.value(column, found);
      worst = Math.min(worst, value);
      average += (chance / cells.length) * value;
    }
  }
  return column === "minimax" ? worst : average;
}
