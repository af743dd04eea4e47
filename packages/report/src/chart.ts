import type { EChartsOption } from "echarts";

/** One line, or one set of points or bars. */
interface Series {
  readonly name: string;
  /** Pairs of x and y; with categories, x is the index of a category. */
  readonly points: readonly (readonly [number, number])[];
  /** Draw a dashed line, as for results of others beside ours. */
  readonly dashed?: boolean;
}

/** A chart over numbers or over named categories. */
export interface Chart {
  /** The name of its file, without extension. */
  readonly name: string;
  readonly title: string;
  /** Default: lines. Bars stand over short names of categories, rows lie beside long ones. */
  readonly kind?: "lines" | "points" | "bars" | "rows";
  readonly x: { readonly name: string; readonly categories?: readonly string[] };
  readonly y: { readonly name: string; readonly log?: boolean };
  readonly series: readonly Series[];
}

/** A drawn chart or row of boards, and the name of its file without extension. */
export interface Picture {
  readonly name: string;
  readonly title: string;
  readonly svg: string;
}

/** Colours of the frame on light and on dark pages; those of the series are readable on both. */
const LIGHT = { paper: "#ffffff", ink: "#1f2328", faint: "#d1d9e0" };
const DARK = { paper: "#0d1117", ink: "#e6edf3", faint: "#3d444d" };

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

const SIZE = { width: 760, height: 460 };

/** Draws a chart as SVG, without a browser. The first call loads ECharts, which takes half a second. */
export async function drawChart(chart: Chart): Promise<Picture> {
  const echarts = await import("echarts");
  const text = { color: LIGHT.ink, fontFamily: "sans-serif" };
  const axis = {
    nameLocation: "middle" as const,
    nameTextStyle: { ...text, fontSize: 13 },
    axisLabel: { ...text, fontSize: 12 },
    axisLine: { lineStyle: { color: LIGHT.ink } },
    axisTick: { lineStyle: { color: LIGHT.ink } },
    splitLine: { lineStyle: { color: LIGHT.faint } },
  };
  const { kind = "lines" } = chart;
  const xs = chart.series.flatMap(({ points }) => points.map(([x]) => x));
  const across = {
    ...axis,
    name: chart.x.name,
    nameGap: 30,
    ...(chart.x.categories
      ? { type: "category", data: [...chart.x.categories] }
      : { type: "value", min: Math.min(...xs), max: Math.max(...xs) }),
  };
  const up = { ...axis, type: chart.y.log ? "log" : "value", name: chart.y.name, nameGap: 64 };
  const rows = kind === "rows";
  const legendLines = legendLinesOf(chart.series.map(({ name }) => name));
  const drawing = echarts.init(null, null, { renderer: "svg", ssr: true, ...SIZE });
  drawing.setOption({
    animation: false,
    backgroundColor: LIGHT.paper,
    color: COLOURS,
    title: { text: chart.title, left: "center", top: 8, textStyle: { ...text, fontSize: 15 } },
    legend: {
      show: legendLines > 0,
      bottom: 4,
      itemWidth: 28,
      textStyle: text,
      // The width of a text is an estimate, and the reader's font may be wider.
      formatter: (name: string) => `${name}${"\u00a0".repeat(6)}`,
    },
    grid: { left: rows ? 280 : 84, right: rows ? 40 : 24, top: 44, bottom: 60 + 24 * legendLines },
    xAxis: rows ? { ...up, nameGap: 30 } : across,
    yAxis: rows ? { ...across, name: "", inverse: true } : up,
    series: chart.series.map(({ name, points, dashed }) => ({
      name,
      type: kind === "lines" ? "line" : kind === "points" ? "scatter" : "bar",
      data: points.map(([x, y]) => (rows ? [y, x] : [x, y])),
      ...(kind === "lines"
        ? { symbol: "circle", symbolSize: 5, lineStyle: { type: dashed ? "dashed" : "solid" } }
        : {}),
      ...(kind === "points" ? { symbolSize: 8 } : {}),
    })),
  } as EChartsOption);
  const svg = drawing.renderToSVGString();
  drawing.dispose();
  return { name: chart.name, title: chart.title, svg: withDarkColours(svg) };
}

/** Returns a series of bars, one for each row; the rows are the categories. */
export function bars<Row>(name: string, rows: readonly Row[], of: (row: Row) => number): Series {
  return { name, points: rows.map((row, i) => [i, of(row)]) };
}

/** Returns the number of lines of a legend, by a generous estimate of the width of its names. */
function legendLinesOf(names: readonly string[]): number {
  if (names.length < 2) return 0;
  let lines = 1;
  let width = 0;
  for (const name of names) {
    const item = 90 + 7 * name.length;
    if (width > 0 && width + item > SIZE.width) {
      lines++;
      width = 0;
    }
    width += item;
  }
  return lines;
}

/** Adds a style to an SVG in light colours that changes them to dark ones where the reader prefers these. */
export function withDarkColours(svg: string): string {
  const rules = (["paper", "ink", "faint"] as const).map(
    (part) =>
      `[fill="${LIGHT[part]}"]{fill:${DARK[part]}}[stroke="${LIGHT[part]}"]{stroke:${DARK[part]}}`,
  );
  const style = `<style>@media (prefers-color-scheme:dark){${rules.join("")}}</style>`;
  return svg.replace(/(<svg[^>]*>)/, `$1${style}`);
}
