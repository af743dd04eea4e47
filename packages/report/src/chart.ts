/// <reference path="./echarts.d.ts" />
import { createRequire } from "node:module";
import { completeSvg, LIGHT, type Picture } from "./svg.js";

/** One line, or one set of points or bars. */
export interface Series {
  readonly name: string;
  /** Pairs of x and y; with categories, x is the index of a category. */
  readonly points: readonly (readonly [number, number])[];
  /** Draw a dashed line, as for results of others beside ours. */
  readonly dashed?: boolean;
  /** Hatch the bars, as for searches given up; they take the places of other series' bars. */
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

/** Pixels of a chart. */
const SIZE = { width: 760, height: 460 };

/** Okabe and Ito's colour-blind-safe colours without the palest and black; then similar ones. */
const COLOURS = [
  "#0072b2",
  "#d55e00",
  "#009e73",
  "#cc79a7",
  "#e69f00",
  "#56b4e9",
  "#8c6d4f",
  "#7f7f7f",
  "#999933",
  "#aa4499",
];

/** Markers of lines and points, which tell series apart without colour. */
const SYMBOLS = [
  ...["circle", "rect", "triangle", "diamond"],
  ...["emptyCircle", "emptyRect", "emptyTriangle", "emptyDiamond"],
];
/** A line of more points has no markers. */
const MOST_MARKERS = 40;

/** Dashes of lines that run over one, two or more others: what is below shows between them. */
const DASHES = [
  [7, 5],
  [2, 4],
  [10, 4, 2, 4],
];
/** Points nearer to each other than this part of their height cannot be told apart. */
const NEAR = 0.03;

const TEXT = { color: LIGHT.ink, fontFamily: "sans-serif" };
/** Pixels of a line of a category's name. */
const LABEL_LINE = 15;

/** Returns why charts cannot be drawn, if they cannot: ECharts (60 MB) is installed on request. */
export function whyNoCharts(): string | undefined {
  try {
    createRequire(import.meta.url).resolve("echarts");
    return undefined;
  } catch {
    return "charts are drawn by ECharts, which is not installed; add the package echarts@6, e.g. with npm install echarts@6";
  }
}

/**
 * Draws a chart as SVG, without a browser. The first call loads ECharts, which takes half a second.
 *
 * @throws {Error} if ECharts is not installed; see {@link whyNoCharts}
 */
export async function drawChart(chart: Chart): Promise<Picture> {
  const reason = whyNoCharts();
  if (reason !== undefined) throw new Error(reason);
  const echarts = await import("echarts");
  const drawing = echarts.init(null, null, { renderer: "svg", ssr: true, ...SIZE });
  drawing.setOption(optionOf(chart));
  // Hollow markers are filled with white, in another notation.
  const svg = drawing.renderToSVGString().replaceAll('fill="#fff"', `fill="${LIGHT.paper}"`);
  drawing.dispose();
  const { name, title } = chart;
  return { name, title, svg: completeSvg(svg, title, describe(chart)) };
}

/** Describes a chart for those who do not see it. */
function describe({ kind = "lines", x, y, series }: Chart): string {
  const what = { lines: "Lines", points: "Points", bars: "Bars", rows: "Bars" }[kind];
  const scale = y.log ? ", on a logarithmic scale" : "";
  const names = series.map(({ name }) => name).join("; ");
  return `${what}: ${y.name} by ${x.name}${scale}. Series: ${names}.`;
}

/** Returns the ECharts option that draws a chart. */
function optionOf(chart: Chart): object {
  const { kind = "lines", series } = chart;
  const rows = kind === "rows";
  const legendLines = legendLinesOf(series.map(({ name }) => name));
  const labelLines = rows ? 1 : labelLinesOf(chart);
  const left = rows ? 260 : 84;
  return {
    animation: false,
    backgroundColor: LIGHT.paper,
    color: COLOURS,
    title: { text: chart.title, left: "center", top: 8, textStyle: { ...TEXT, fontSize: 15 } },
    legend: {
      show: legendLines > 0,
      bottom: 4,
      itemWidth: kind === "points" ? 14 : 36,
      textStyle: TEXT,
      // The width of a text is an estimate, and the reader's font may be wider.
      formatter: (name: string) => `${name}${"\u00a0".repeat(6)}`,
    },
    grid: {
      left,
      right: rows ? 40 : 24,
      top: 44,
      bottom: 60 + 24 * legendLines + LABEL_LINE * (labelLines - 1),
    },
    ...axesOf(chart, labelLines),
    // Without a page around it nothing can be pointed at.
    series: series.map((one, i) => ({ ...seriesOption(chart, one, i), silent: true })),
  };
}

function axesOf({ kind, x, y, series }: Chart, labelLines: number): object {
  const axis = {
    nameLocation: "middle",
    nameTextStyle: { ...TEXT, fontSize: 13 },
    axisLabel: { ...TEXT, fontSize: 12, lineHeight: LABEL_LINE },
    axisLine: { lineStyle: { color: LIGHT.ink } },
    axisTick: { lineStyle: { color: LIGHT.ink } },
    splitLine: { lineStyle: { color: LIGHT.faint } },
  };
  const xs = series.flatMap(({ points }) => points.map(([at]) => at));
  const across = {
    ...axis,
    name: x.name,
    nameGap: 30 + LABEL_LINE * (labelLines - 1),
    ...(x.categories
      ? {
          type: "category",
          data: [...x.categories],
          axisLabel: { ...axis.axisLabel, ...(labelLines > 1 && { interval: 0 }) },
        }
      : { type: "value", min: Math.floor(Math.min(...xs)), max: Math.ceil(Math.max(...xs)) }),
  };
  const up = {
    ...axis,
    name: y.name,
    nameGap: 64,
    ...(y.log ? { type: "log", min: leastOfLog(series, kind) } : { type: "value" }),
  };
  if (kind !== "rows") return { xAxis: across, yAxis: up };
  return { xAxis: { ...up, nameGap: 30 }, yAxis: { ...across, name: "", inverse: true } };
}

/** Returns a logarithmic scale's start: a power of ten, low enough to show the shortest bar. */
function leastOfLog(series: readonly Series[], kind: Chart["kind"]): number {
  const ys = series.flatMap(({ points }) => points.map(([, y]) => y)).filter((y) => y > 0);
  const least = Math.min(...ys);
  const power = 10 ** Math.floor(Math.log10(least));
  const hasBars = kind === "bars" || kind === "rows";
  return hasBars && least < 2 * power ? power / 10 : power;
}

function seriesOption({ kind = "lines", series }: Chart, one: Series, index: number): object {
  const { name, points, dashed, hatched } = one;
  const data = points.map(([x, y]) => (kind === "rows" ? [y, x] : [x, y]));
  if (kind === "bars" || kind === "rows") {
    const decal = { color: "rgba(255,255,255,0.75)", dashArrayX: [1, 0], dashArrayY: [3, 4] };
    return {
      name,
      data,
      type: "bar",
      ...(series.some((other) => other.hatched) && { barGap: "-100%", barCategoryGap: "35%" }),
      ...(hatched && { itemStyle: { decal: { ...decal, rotation: Math.PI / 4 } } }),
    };
  }
  const symbol = SYMBOLS[index % SYMBOLS.length];
  if (kind === "points") return { name, data, type: "scatter", symbol, symbolSize: 9 };
  const below = series.slice(0, index).filter((other) => runTogether(other, one)).length;
  const isCovered = series.slice(index + 1).some((other) => runTogether(one, other));
  const dashes = below > 0 ? DASHES[Math.min(below, DASHES.length) - 1] : DASHES[0];
  return {
    name,
    data,
    type: "line",
    symbol,
    showSymbol: points.length <= MOST_MARKERS,
    // The line below and its markers show on both sides of the line above.
    symbolSize: below > 0 ? 6 : isCovered ? 11 : 8,
    lineStyle: {
      type: below > 0 || dashed ? dashes : "solid",
      width: isCovered && below === 0 ? 5 : 2,
    },
  };
}

/** Returns whether two lines coincide in over half of their shared places, and in two or more. */
function runTogether(a: Series, b: Series): boolean {
  const heights = new Map(a.points);
  const shared = b.points.filter(([x]) => heights.has(x));
  const near = shared.filter(([x, y]) => {
    const other = heights.get(x) as number;
    return Math.abs(y - other) <= NEAR * Math.max(y, other);
  });
  return near.length >= 2 && 2 * near.length > shared.length;
}

/** Returns the most lines of a category's name. */
function labelLinesOf({ x }: Chart): number {
  return Math.max(1, ...(x.categories ?? []).map((name) => name.split("\n").length));
}

/** Returns the number of lines of a legend, by a generous estimate of the width of its names. */
function legendLinesOf(names: readonly string[]): number {
  if (names.length < 2) return 0;
  let lines = 1;
  let width = 0;
  for (const name of names) {
    const item = 98 + 7 * name.length;
    if (width > 0 && width + item > SIZE.width) {
      lines++;
      width = 0;
    }
    width += item;
  }
  return lines;
}
