import { type Cell, markdownTable } from "@gridlock/report";

/** A column of a table: its head, its cell in each row, and `right` to align text to the right. */
export type Column<Row> = readonly [
  head: string,
  cellOf: (row: Row, index: number) => Cell,
  align?: "right",
];

/** Returns a Markdown table with a line for each of some rows; see {@link markdownTable}. */
export function tableOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  return markdownTable(
    columns.map(([head]) => head),
    rows.map((row, i) => columns.map(([, cellOf]) => cellOf(row, i))),
    columns.flatMap(([, , align], i) => (align ? [i] : [])),
  );
}
