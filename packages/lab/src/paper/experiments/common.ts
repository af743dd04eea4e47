import type { Game } from "@gridlock/game";
import { type Chart, type Column, formatRatio, type Series, tableOf } from "@gridlock/report";
import type { PaperFigure7Output, PaperFigure9Output, PaperSearchResult } from "@gridlock/schemas";
import type { Bench } from "../../bench.js";
import type { Techniques } from "../techniques.js";

/** 2×2 with 2s and 4s. */
export const GAME_2X2: Game = { shape: { rows: 2, cols: 2 }, tiles: [2, 4] };
/** 3×3 with 2s and 4s. */
export const GAME_3X3: Game = { shape: { rows: 3, cols: 3 }, tiles: [2, 4] };

/**
 * The board that the paper's searches of 3×3 started from. The paper does not name it; of the 28
 * starts, only this one reproduces its node counts.
 */
export const START_3X3 = "2 2 0/0 0 0/0 0 0";

/** The deepest search of 3×3 in the paper, and in our charts. */
export const DEEPEST_PUBLISHED = 20;
/** The deepest search of 3×3 in our charts, in plies. */
export const DEEPEST = 30;

/** The depths of the charts: all of the paper's, and then every fifth. */
export const CHART_DEPTHS: readonly number[] = [
  ...range(6, DEEPEST_PUBLISHED),
  ...range(DEEPEST_PUBLISHED + 1, DEEPEST).filter((depth) => depth % 5 === 0),
];

/** Returns the integers from `first` to `last`, both included. */
export function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** Returns positions and afterstates together, which the paper calls the nodes generated. */
export function nodesOf({ nodes }: PaperSearchResult): number {
  return nodes.positions + nodes.afterstates;
}

/** A curve of a chart over the depth. */
export type DepthCurve = PaperFigure7Output["curves"][number];

/** Searches 3×3 to the depths of the charts with each of some techniques. */
export function curvesOf(
  bench: Bench,
  setups: readonly { readonly name: string; readonly techniques: Techniques }[],
): Promise<DepthCurve[]> {
  const task = { game: GAME_3X3, board: START_3X3, depths: CHART_DEPTHS };
  return Promise.all(
    setups.map(async ({ name, techniques }) => ({
      name,
      depths: CHART_DEPTHS,
      results: await bench.run("searchDepths", { ...task, techniques }),
    })),
  );
}

/** Returns the result of a curve at one of its depths. */
export function resultAt({ depths, results }: DepthCurve, depth: number): PaperSearchResult {
  return results[depths.indexOf(depth)] as PaperSearchResult;
}

/** Returns the two charts that the paper draws over the depth: nodes and seconds. */
export function chartsOverDepth(
  name: string,
  title: string,
  curves: readonly DepthCurve[],
): Chart[] {
  const chart = (what: string, unit: string, of: (result: PaperSearchResult) => number): Chart => ({
    name: `${name}-${what}`,
    title,
    x: { name: "depth" },
    y: { name: unit, log: true },
    series: curves.map((curve) => ({
      name: curve.name,
      points: curve.results.map((result, i) => [curve.depths[i] as number, of(result)] as const),
    })),
  });
  return [
    chart("nodes", "nodes generated", nodesOf),
    // Below a millisecond, the clock's resolution dominates.
    chart("seconds", "seconds", ({ seconds }) => Math.max(seconds, 1e-3)),
  ];
}

/** Returns the points of a series of a chart, without the rows that have no value. */
export function pointsOf<Row>(
  rows: readonly Row[],
  x: (row: Row, index: number) => number,
  y: (row: Row) => number | undefined,
): Series["points"] {
  return rows.flatMap((row, i) => {
    const value = y(row);
    return value === undefined ? [] : [[x(row, i), value] as const];
  });
}

/** Returns a series of a chart over the depth, without the rows that have no value. */
export function depthSeries<Row extends { readonly depth: number }>(
  name: string,
  rows: readonly Row[],
  of: (row: Row) => number | undefined,
  dashed = false,
): Series {
  return { name, points: pointsOf(rows, ({ depth }) => depth, of), dashed };
}

/** A start searched to the end of the game, with the results that the paper prints. */
type StartRow = PaperFigure9Output["rows"][number]["both"];

/** Returns a table of starts with their values, end states and nodes beside the paper's. */
export function startsTable(rows: readonly StartRow[]): string {
  return tableOf(rows, [
    ["start", ({ board }) => `\`${board}\``],
    ["value", ({ ours }) => ours.value],
    ["value (paper)", ({ paper }) => paper.value],
    ["end state", ({ ours }) => `\`${ours.end}\``],
    ["end state (paper)", ({ paper }) => `\`${paper.end}\``],
    ["nodes", ({ ours }) => nodesOf(ours)],
    ["nodes (paper)", ({ paper }) => paper.nodes],
    ["ratio", ({ ours, paper }) => formatRatio(nodesOf(ours), paper.nodes)],
  ]);
}

/** Returns a board as a label of a chart's axis: a line for each row, a dot for an empty cell. */
export function boardLabel(board: string): string {
  return board.replaceAll(/\b0\b/g, "·").replaceAll("/", "\n");
}

/** Returns the columns that count prunings by kind. */
export function pruningColumns<Row>(
  resultOf: (row: Row) => PaperSearchResult | undefined,
): Column<Row>[] {
  const kinds = ["shallow", "deep", "immediate", "alphaBeta", "table"] as const;
  return kinds.map((kind) => [
    kind === "alphaBeta" ? "alpha-beta" : kind,
    (row) => resultOf(row)?.prunings[kind],
  ]);
}

/** Rounds seconds to three digits. */
export function roundSeconds(seconds: number): number {
  return Number(seconds.toPrecision(3));
}
