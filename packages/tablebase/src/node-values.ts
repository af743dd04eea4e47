import { emptyCells, type Node } from "@gridlock/game";
import type { ValueColumn } from "./columns.js";
import { tileChances } from "./random-start.js";
import type { Tabulation } from "./tabulation.js";

/**
 * Returns a node's values in some columns of a tabulation, in the order of the columns. Afterstates
 * are not tabulated: against the placer an afterstate is worth its worst placement, against chance
 * the average of its placements.
 *
 * @returns `undefined` if play from the starts does not reach the position, or a position after a
 * placement on the afterstate
 * @throws {StoreError} `damaged` if a block's checksum is wrong
 */
export function valuesOfNode(
  tabulation: Tabulation,
  columns: readonly ValueColumn[],
  { board, turn }: Node,
): number[] | undefined {
  if (turn === "slider") {
    const entry = tabulation.entryOf(board);
    return entry < 0 ? undefined : columns.map((column) => tabulation.valueAt(column, entry));
  }
  const cells = emptyCells(board);
  const values = columns.map((column) => (column === "minimax" ? Number.POSITIVE_INFINITY : 0));
  for (const [tile, chance] of tileChances(tabulation.game)) {
    const entries = cells.map((cell) => tabulation.entryAfter(board, cell, tile));
    if (entries.some((entry) => entry < 0)) return undefined;
    columns.forEach((column, i) => {
      const found = entries.map((entry) => tabulation.valueAt(column, entry));
      const before = values[i] as number;
      // Sums of values are exact, so that equal afterstates have equal averages.
      values[i] =
        column === "minimax"
          ? Math.min(before, ...found)
          : before + (chance * found.reduce((sum, value) => sum + value, 0)) / cells.length;
    });
  }
  return values;
}

/** Returns a node's value in one column; see {@link valuesOfNode}. */
export function valueOfNode(
  tabulation: Tabulation,
  column: ValueColumn,
  node: Node,
): number | undefined {
  return valuesOfNode(tabulation, [column], node)?.[0];
}
