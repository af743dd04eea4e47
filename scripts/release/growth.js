/*
 * Measures how the cost of a search grows with the board: the positions that one thread searches
 * for all starts, and the reachable positions. Writes results/growth.md, growth.json and
 * growth.svg; earlier measurements are kept.
 *
 *     node scripts/release/growth.js                         2x2, 2x3, 2x4, 3x3 and 2x5
 *     node scripts/release/growth.js 2x6 3x4 --memory 4000M  minutes
 *     node scripts/release/growth.js 2x5 --tabulation FILE   counts positions from the tabulation beside this database
 *     node scripts/release/growth.js --draw                  only writes table and chart again
 */
import { join, resolve } from "node:path";
import { cellCount, parseShape } from "@gridlock/game";
import { drawChart, markdownTable } from "@gridlock/report";
import { runGridlock, TemporaryFolder } from "@gridlock/testbed";
import { parseCommandLine } from "../command-line.js";
import { readData, writeChart, writeData, writePage } from "../results.js";

const DATA = "growth.json";
const HEAD = [
  ...["shape", "cells", "positions searched", "afterstates searched"],
  ...["positions reachable", "searched of them"],
];
/**
 * Most cells of a shape whose positions are counted each time, which takes half a minute for nine
 * cells.
 */
const COUNTED_CELLS = 9;

const { values: flags, positionals } = parseCommandLine({
  allowPositionals: true,
  options: {
    memory: { type: "string" },
    tabulation: { type: "string" },
    draw: { type: "boolean", default: false },
  },
});

function measure(shape) {
  const folder = new TemporaryFolder().path;
  const quietly = ["--quiet", "--json"];
  const memory = flags.memory ? ["--memory", flags.memory] : [];
  const alone = ["--workers", "1", ...memory];
  const { nodes } = runGridlock(folder, "solve", shape, ...alone, ...quietly);
  if (!flags.tabulation && cellCount(parseShape(shape)) > COUNTED_CELLS) return nodes;
  const db = resolve(flags.tabulation ?? join(folder, "all.db"));
  const { positions: reachable } = runGridlock(folder, "tabulate", shape, "--db", db, ...quietly);
  return { ...nodes, reachable };
}

const data = readData(DATA);
const measured = positionals.length > 0 ? positionals : ["2x2", "2x3", "2x4", "3x3", "2x5"];
for (const shape of flags.draw ? [] : measured) {
  data[shape] = { ...data[shape], ...measure(shape) };
  console.log(shape, JSON.stringify(data[shape]));
}

const cellsOf = (shape) => cellCount(parseShape(shape));
const shapes = Object.keys(data).sort((a, b) => cellsOf(a) - cellsOf(b) || a.localeCompare(b));
writeData(DATA, Object.fromEntries(shapes.map((shape) => [shape, data[shape]])));

/**
 * Returns a line of a chart: a count over the number of cells, for each of some shapes that has the
 * count.
 */
const series = (name, count, has = () => true) => ({
  name,
  points: shapes
    .filter((shape) => has(parseShape(shape)) && data[shape][count] !== undefined)
    .map((shape) => [cellsOf(shape), data[shape][count]]),
});
const { svg } = await drawChart({
  name: "growth",
  title: "Positions searched for all starts, and positions that play can reach",
  x: { name: "cells" },
  y: { name: "positions", log: true },
  series: [
    series("reachable", "reachable"),
    series("searched, 2 rows", "positions", ({ rows }) => rows === 2),
    series("searched, 3 rows", "positions", ({ rows }) => rows === 3),
  ],
});
writeChart("growth.svg", svg);

const rows = shapes.map((shape) => {
  const { positions, afterstates, reachable } = data[shape];
  const part = reachable && `${((100 * positions) / reachable).toPrecision(2)} %`;
  return [shape, cellsOf(shape), positions, afterstates, reachable, part];
});
writePage(
  "growth.md",
  `# How the cost of a search grows

Made by \`node scripts/release/growth.js\`: all starts of a shape, one thread, an empty database. "Reachable" are the canonical positions
that play from the starts can lead to, counted by \`gridlock tabulate\`. The counts of 2x7 are those of two threads, from
[2x7.md](2x7.md), which vary by some percent from run to run.

${markdownTable(HEAD, rows, [5])}

![Positions searched and positions reachable, by cells](growth.svg)
`,
);
