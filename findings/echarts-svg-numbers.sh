#!/usr/bin/env bash
# ECharts draws the same chart on a server (ssr: true, renderToSVGString) as different bytes if another chart was drawn in the
# same process before, although that one is disposed of: classes and ids have the number of the renderer and those of all
# classes so far in their names (`zr0-cls-0`, then `zr1-cls-3`), so a picture depends on what else its process drew.
# ECharts 6.1.0 (zrender 6.1.0). Source: the handbook, "Server-Side SVG Rendering", which does not mention it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund echarts@6.1.0 >/dev/null

cat > finding.mjs <<'EOF'
import * as echarts from "echarts";

function draw(values) {
  const chart = echarts.init(null, null, { renderer: "svg", ssr: true, width: 300, height: 200 });
  const emphasis = { itemStyle: { color: "red" } };
  const series = [{ type: "bar", data: values, emphasis }];
  chart.setOption({ animation: false, xAxis: { data: ["a", "b"] }, yAxis: {}, series });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}
const first = draw([1, 2]);
const second = draw([1, 2]);
const namesIn = (svg) => [...new Set(svg.match(/zr\d+-[-\w]*/g))].slice(0, 4).join(" ");
const neutral = (svg) => svg.replaceAll(/zr\d+-[-\w]*/g, "");
console.log(`ECharts ${echarts.version}`);
console.log("guess: the same chart, drawn twice in a process, is the same text");
console.log(`seen:  it is ${first === second ? "the same" : "another"}: ${namesIn(first)}, then ${namesIn(second)}`);
console.log(`       without these names it is ${neutral(first) === neutral(second) ? "the same" : "another"}`);
const same = first !== second && neutral(first) === neutral(second);
console.log(same ? "as found" : "CHANGED");
process.exit(same ? 0 : 1);
EOF
node finding.mjs
