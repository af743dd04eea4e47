/* Tables of results. */
import { markdownTable } from "@gridlock/report";

/**
 * Returns a Markdown table, all columns but the first aligned to the right.
 *
 * @param columns functions that return the cell of a row, by their heads
 */
export function tableOf(columns, rows) {
  const head = Object.keys(columns);
  const cells = rows.map((row) => Object.values(columns).map((cell) => cell(row)));
  return markdownTable(head, cells, [...head.keys()].slice(1));
}
