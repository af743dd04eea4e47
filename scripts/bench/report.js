/* Formats measurements. */
import {
  formatBytes,
  formatCount,
  formatPercent,
  formatRatio,
  markdownTable,
  tableOf,
} from "@gridlock/report";

/** Formats all times in one unit, so that the numbers of a column are comparable at a glance. */
const seconds = (number) => `${number.toFixed(number < 10 ? 3 : 1)} s`;
const milliseconds = (number) => `${number.toFixed(1)} ms`;
const hundredths = (number) => `${number.toFixed(2)} ms`;
const thousands = (rate) => `${formatCount(rate / 1000)} k`;
const times = (number) => `${number.toFixed(2)} ×`;
/** Formats file sizes in decimal units, like their goal. */
const megabytes = (bytes) => `${formatCount(bytes / 1e6)} MB`;

/** The figures of a process, their heads and formats. */
const FIGURES = {
  positions: ["positions", formatCount],
  afterstates: ["afterstates", formatCount],
  search: ["search or sweep", seconds],
  wall: ["whole process", seconds],
  processor: ["processors", seconds],
  rate: ["nodes a second", thousands],
  boards: ["boards a second", formatCount],
  table: ["table", formatBytes],
  peak: ["memory", formatBytes],
};

/** Makes a reader of one figure from the results of a measurement: NaN if it is missing. */
const figure = (name, key) => (results) => results[name]?.[key] ?? Number.NaN;
const figuresOf = (name) => (key) => figure(name, key);
const one = figuresOf("solve 3x4 with 1 thread");
const two = figuresOf("solve 3x4 with 2 threads");
const tabulation = figuresOf("tabulation of 3x3");
const server = figuresOf("server on 3x3");
const speedUp = (results) => one("search")(results) / two("search")(results);
const extraNodes = (results) => two("nodes")(results) / one("nodes")(results) - 1;
const lookUps = figure("look-ups in the tabulation of 3x3", "boards");
const movesOf2x5 = figure("moves of Play on 2x5", "p99");

/** The performance goals: what is measured, its figure, the limit, and the format. */
const GOALS = [
  ["3×3: nodes", figure("solve 3x3 with 1 thread", "nodes"), "≤", 150_000],
  ["2×6: positions", figure("solve 2x6 with 1 thread", "positions"), "≤", 80e6],
  ["3×4: positions", one("positions"), "≤", 140e6],
  ["2×6: the command's search", figure("solve 2x6 with 1 thread", "search"), "≤", 116, seconds],
  ["3×4: the command's search", one("search"), "≤", 153, seconds],
  ["3×4: table", one("table"), "≤", 4 * 2 ** 30, formatBytes],
  ["3×4, two threads: speed-up", speedUp, "≥", 1.7, times],
  ["3×4, two threads: extra nodes", extraNodes, "≤", 0.1, formatPercent],
  ["All positions of 3×3: time", tabulation("search"), "≤", 60, seconds],
  ["All positions of 3×3: memory", tabulation("peak"), "≤", 2 ** 30, formatBytes],
  ["All positions of 3×3: files", tabulation("bytes"), "≤", 200e6, megabytes],
  ["All positions of 3×3: look-ups a second", lookUps, "≥", 50_000],
  ["The server: positions of 3×3 a second over 32 connections", server("requests"), "≥", 5000],
  ["The server: 99 % of them within", server("p99"), "≤", 50, milliseconds],
  ["The server: processor time for each", server("each"), "≤", 0.2, hundredths],
  ["The server: positions a second in one batch of 100,000", server("batch"), "≥", 1e4],
  ["The server: their values alone", server("values"), "≥", 40_000],
  ["The server: memory gained by the batch", server("gained"), "≤", 64 * 2 ** 20, formatBytes],
  ["The server: memory of 1,000 idle connections", server("idle"), "≤", 50e6, megabytes],
  ["The server: a move in Play on 3×3, 99 % within", server("move99"), "≤", 50, milliseconds],
  ["The server: a move in Play on 2×5, 99 % within", movesOf2x5, "≤", 100, milliseconds],
];

function goalsTable(results) {
  const rows = GOALS.map(([what, figureOf, sign, limit, show = formatCount]) => {
    const found = figureOf(results);
    const isMet = sign === "≤" ? found <= limit : found >= limit;
    const end = Number.isNaN(found)
      ? ["not measured", ""]
      : [show(found), isMet ? "met" : "missed"];
    return [what, `${sign} ${show(limit)}`, ...end];
  });
  return markdownTable(["", "goal", "measured", " "], rows, [1, 2, 3]);
}

/** Formats all results: the figures of each measurement, by its name, with their date. */
export function markdownOf({ machine, results }) {
  const rows = Object.entries(results).filter(([, one]) => one.wall ?? one.search ?? one.boards);
  const figures = Object.entries(FIGURES).map(([figure, [head, show]]) => {
    const cell = ([, { [figure]: found }]) => (found === undefined ? "" : show(found));
    return [head, cell, "right"];
  });
  const date = ["date", ([, { date }]) => date, "right"];
  return `# Benchmarks

Made by \`npm run bench\`: ${machine.processor}, ${machine.threads} threads, ${machine.memoryGiB} GiB, Node
${machine.node}. Medians of some rounds (three of 2x6, 3x4 and the tabulation, else five), each a process of its own. Counts of
one thread repeat to the digit; times vary with the machine and its load.

## Goals

${goalsTable(results)}

## Processes

\`solve\` is the command, from an empty database; its search includes starting its threads and saving its bounds. The memory
is the process's at its peak.

${tableOf(rows, [["", ([name]) => name], ...figures, date])}
`;
}

/** Formats medians of another revision and this build; ratios are of this build to the other. */
export function besideTable(results, revision) {
  const { wall, processor, peak } = FIGURES;
  const shown = { wall, processor, peak, nodes: ["nodes", formatCount] };
  const columns = Object.entries(shown).flatMap(([figure, [head, show]]) => {
    const column = (name, textOf) => [
      name,
      ({ medians: [other, now] }) =>
        now[figure] === undefined ? "" : textOf(other[figure], now[figure]),
      "right",
    ];
    return [
      column(`${revision}, ${head}`, show),
      column("now", (_, now) => show(now)),
      column("ratio", (other, now) => formatRatio(now, other)),
    ];
  });
  return tableOf(results, [["", ({ name }) => name], ...columns]);
}
