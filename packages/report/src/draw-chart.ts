/// <reference path="./echarts.d.ts" />
import { createRequire } from "node:module";
import type { Chart } from "./chart.js";
import { optionOf, SIZE } from "./chart-option.js";
import { completeSvg, LIGHT, type Picture } from "./svg.js";

/** Returns why charts cannot be drawn, `undefined` if they can: ECharts, 60 MB, is installed only on request. */
export function whyNoCharts(): string | undefined {
  try {
    createRequire(import.meta.url).resolve("echarts");
    return undefined;
  } catch {
    return "charts are drawn by ECharts, which is not installed; npm install echarts@6 adds it";
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
