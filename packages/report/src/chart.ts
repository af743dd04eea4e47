/** One line, or one set of points or bars. */
export interface Series {
  readonly name: string;
  /** Pairs of x and y; with categories, x is the index of a category. */
  readonly points: readonly (readonly [number, number])[];
  /** Draw a dashed line, as for results of others beside ours. */
  readonly dashed?: boolean;
  /** Hatch the bars, as for searches that were given up; they take the places of other series' bars. */
  readonly hatched?: boolean;
}

/** A chart over numbers or over named categories. */
export interface Chart {
  /** The name of its file, without extension. */
  readonly name: string;
  readonly title: string;
  /** Default: lines. Bars stand over short names of categories, rows lie beside long ones. */
  readonly kind?: "lines" | "points" | "bars" | "rows";
  /** A category's name may have several lines. */
  readonly x: { readonly name: string; readonly categories?: readonly string[] };
  readonly y: { readonly name: string; readonly log?: boolean };
  readonly series: readonly Series[];
}

/** Returns a series of bars, one for each row; the rows are the categories. */
export function bars<Row>(name: string, rows: readonly Row[], of: (row: Row) => number): Series {
  return { name, points: rows.map((row, i) => [i, of(row)]) };
}
