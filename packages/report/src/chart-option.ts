import type { Chart, Series } from "./chart.js";
import { LIGHT } from "./svg.js";

/** Pixels of a chart. */
export const SIZE = { width: 760, height: 460 };

/** Okabe and Ito's colours, which are safe for colour-blind readers, without the palest and black; then similar ones. */
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

/** Returns the ECharts option that draws a chart. */
export function optionOf(chart: Chart): object {
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
      ...{ left, right: rows ? 40 : 24, top: 44 },
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

/** Returns where a logarithmic scale begins: at a power of ten, below the shortest bar so that it can be seen. */
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
      ...{ name, data, type: "bar" },
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
    ...{ name, data, type: "line", symbol },
    showSymbol: points.length <= MOST_MARKERS,
    // The line below and its markers show on both sides of the line above.
    symbolSize: below > 0 ? 6 : isCovered ? 11 : 8,
    lineStyle: {
      type: below > 0 || dashed ? dashes : "solid",
      width: isCovered && below === 0 ? 5 : 2,
    },
  };
}

/** Returns whether two lines run on top of each other: over half of the places that they share, and in two or more. */
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
