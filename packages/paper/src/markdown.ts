/** A cell of a table: numbers are set to the right. */
export type Cell = string | number | undefined;

/** A Markdown table; a cell that is undefined stays empty. */
export function markdownTable(
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
): string {
  const text = (cell: Cell) =>
    typeof cell === "number" ? cell.toLocaleString("en-US") : (cell ?? "");
  const numeric = headings.map((_, i) =>
    rows.every((row) => row[i] === undefined || typeof row[i] === "number"),
  );
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    line(headings),
    line(numeric.map((right) => (right ? "---:" : "---"))),
    ...rows.map((row) => line(row.map(text))),
  ].join("\n");
}

/** Seconds with as many digits as they deserve. */
export function roundSeconds(seconds: number): number {
  return Number(seconds.toPrecision(3));
}

/** How many times as large one number is as another, with two digits behind the point. */
export function ratio(a: number, b: number): string {
  return (a / b).toFixed(2);
}
