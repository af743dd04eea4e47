import { emptyCells, type Node, place } from "@gridlock/game";
import type { ValueColumn } from "./columns.js";
import { tileChances } from "./random-start.js";
import type { Tabulation } from "./tabulation.js";

/**
 * What columns of a tabulation tell of a node, in their order. Afterstates are not in it: against the placer one is worth
 * its worst placement, against chance what its placements are worth on average.
 *
 * @returns `undefined` when play from the starts does not lead to the position, or to one after a placement
 * @throws {StoreError} `damaged` when what is read is not what was written
 */
export function valuesOfNode(
  tabulation: Tabulation,
  columns: readonly ValueColumn[],
  { board, turn }: Node,
): number[] | undefined {
  if (turn === "slider") {
    const found = tabulation.find(board);
    return found && columns.map((column) => tabulation.value(column, found));
  }
  const cells = emptyCells(board);
  const values = columns.map((column) => (column === "minimax" ? Number.POSITIVE_INFINITY : 0));
  for (const [tile, chance] of tileChances(tabulation.game)) {
    for (const cell of cells) {
      const found = tabulation.find(place(board, cell, tile).board);
      if (found === undefined) return undefined;
      columns.forEach((column, i) => {
        const value = tabulation.value(column, found);
        const before = values[i] as number;
        values[i] =
          column === "minimax" ? Math.min(before, value) : before + (chance / cells.length) * value;
      });
    }
  }
  return values;
}

/** What one column tells of a node, as {@link valuesOfNode}. */
export function valueOfNode(
  tabulation: Tabulation,
  column: ValueColumn,
  node: Node,
): number | undefined {
  return valuesOfNode(tabulation, [column], node)?.[0];
}
