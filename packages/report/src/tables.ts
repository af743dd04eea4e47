import Table from "cli-table3";
import { markdownTable as layOut } from "markdown-table";
import { formatNumber } from "./numbers.js";

/**
 * A cell of a table. A number is shown with separators of thousands, `undefined` and null as an
 * empty cell.
 */
export type Cell = string | number | null | undefined;

/**
 * Returns a Markdown table, its columns padded to the same width. Columns of numbers are aligned to
 * the right.
 *
 * @param right further columns to align to the right, by index
 */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  right: readonly number[] = [],
): string {
  return layOut([head, ...rows.map((row) => row.map(textOf))], {
    align: head.map((_, i) => (right.includes(i) || isNumeric(rows, i) ? "right" : "")),
  });
}

function isNumeric(rows: readonly (readonly Cell[])[], column: number): boolean {
  return rows.every((row) => typeof (row[column] ?? 0) === "number");
}

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

/** The names of the lines that `cli-table3` draws around and between cells. */
const BORDERS =
  "top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid middle";

/**
 * Returns a table for a terminal, without borders, with a line for each of some rows. Columns of
 * numbers are aligned to the right.
 */
export function formatTable<Row>(
  rows: readonly Row[],
  columns: readonly (Column<Row> | undefined)[],
): string {
  const shown = columns.filter((column) => column !== undefined);
  const cells = rows.map((row, i) => shown.map(([, cellOf]) => cellOf(row, i)));
  const table = new Table({
    head: shown.map(([head]) => head),
    colAligns: shown.map(([, , align], i) => align ?? (isNumeric(cells, i) ? "right" : "left")),
    style: { head: [], border: [], "padding-left": 0, "padding-right": 2 },
    chars: Object.fromEntries(BORDERS.split(" ").map((name) => [name, ""])),
  });
  table.push(...cells.map((row) => row.map(textOf)));
  const lines = table.toString().split("\n");
  return lines.map((line) => line.trimEnd()).join("\n");
}

/** Returns CSV (RFC 4180, lines ended by `\n`): numbers plain, cells quoted where necessary. */
export function csvTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const quoted = (cell: Cell) => {
    const text = String(cell ?? "");
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [head, ...rows].map((row) => `${row.map(quoted).join(",")}\n`).join("");
}

function textOf(cell: Cell): string {
  return typeof cell === "number" ? formatNumber(cell) : inOneLine(cell ?? "");
}

/** Shows line ends as JSON does: they would break the row of a cell. */
function inOneLine(text: string): string {
  return text.replaceAll("\n", "\\n");
}
