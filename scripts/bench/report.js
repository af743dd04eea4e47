/* Formats measurements. */
import {
  formatBytes,
  formatCount,
  formatPercent,
  formatRatio,
  markdownTable,
} from "@gridlock/report";
import { tableOf } from "../results.js";

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
  again: ["once compiled", seconds],
  wall: ["whole process", seconds],
  processor: ["processors", seconds],
  rate: ["nodes a second", thousands],
  boards: ["boards a second", formatCount],
  table: ["table", formatBytes],
  peak: ["memory", formatBytes],
};

/** The performance goals: what is measured, of which measurement, which figure, the goal, and its format. */
const GOALS = [
  ["3×3: nodes", "solve 3x3 with 1 thread", "nodes", "≤", 150_000],
  ["2×6: positions", "solve 2x6 with 1 thread", "positions", "≤", 80e6],
  ["3×4: positions", "solve 3x4 with 1 thread", "positions", "≤", 140e6],
  ["3×3: the search alone", "search 3x3", "search", "≤", 0.06, seconds],
  ["2×6: the command's search", "solve 2x6 with 1 thread", "search", "≤", 116, seconds],
  ["3×4: the command's search", "solve 3x4 with 1 thread", "search", "≤", 153, seconds],
  ["3×4: table", "solve 3x4 with 1 thread", "table", "≤", 4 * 2 ** 30, formatBytes],
  ["3×4, two threads: speed-up", "solve 3x4 with 2 threads", "speedUp", "≥", 1.7, times],
  ["3×4, two threads: extra nodes", "solve 3x4 with 2 threads", "extra", "≤", 0.1, formatPercent],
  ...[
    ["time", "tabulation of 3x3", "search", "≤", 60, seconds],
    ["memory", "tabulation of 3x3", "peak", "≤", 2 ** 30, formatBytes],
    ["files", "tabulation of 3x3", "bytes", "≤", 200e6, megabytes],
    ["look-ups a second", "look-ups in the tabulation of 3x3", "boards", "≥", 50_000],
  ].map(([what, ...goal]) => [`All positions of 3×3: ${what}`, ...goal]),
  ...[
    ["positions of 3×3 a second over 32 connections", "requests", "≥", 5000],
    ["99 % of them within", "p99", "≤", 50, milliseconds],
    ["processor time for each", "each", "≤", 0.2, hundredths],
    ["positions a second in one batch of 100,000", "batch", "≥", 1e4],
    ["their values alone", "values", "≥", 40_000],
    ["memory gained by the batch", "gained", "≤", 64 * 2 ** 20, formatBytes],
    ["memory of 1,000 idle connections", "idle", "≤", 50e6, megabytes],
    ["a move in Play on 3×3, 99 % within", "move99", "≤", 50, milliseconds],
  ].map(([what, ...goal]) => [`The server: ${what}`, "server on 3x3", ...goal]),
  [
    "The server: a move in Play on 2×5, 99 % within",
    "moves of Play on 2x5",
    "p99",
    "≤",
    100,
    milliseconds,
  ],
].map(([what, name, figure, sign, limit, show = formatCount]) => ({
  what,
  name,
  figure,
  sign,
  limit,
  show,
}));

/** Compares a measurement with two threads with that of one. */
function comparedWithOne(results, name) {
  const one = results[name.replace("2 threads", "1 thread")];
  const two = results[name];
  if (one === undefined || two === undefined || one === two) return two;
  return { ...two, speedUp: one.search / two.search, extra: two.nodes / one.nodes - 1 };
}

function goalsTable(results) {
  const measured = ({ name, figure }) => comparedWithOne(results, name)?.[figure];
  const isMet = (goal) =>
    goal.sign === "≤" ? measured(goal) <= goal.limit : measured(goal) >= goal.limit;
  const columns = {
    "": ({ what }) => what,
    goal: ({ sign, limit, show }) => `${sign} ${show(limit)}`,
    measured: (goal) => (measured(goal) === undefined ? "not measured" : goal.show(measured(goal))),
    " ": (goal) => (measured(goal) === undefined ? "" : isMet(goal) ? "met" : "missed"),
  };
  return tableOf(columns, GOALS);
}

/** Formats all results: the figures of each measurement, by its name, with their date. */
export function markdownOf({ machine, results }) {
  const rows = Object.entries(results).filter(([, one]) => one.wall ?? one.search ?? one.boards);
  const columns = { "": ([name]) => name };
  for (const [figure, [head, show]] of Object.entries(FIGURES)) {
    columns[head] = ([, one]) => (one[figure] === undefined ? "" : show(one[figure]));
  }
  columns.date = ([, { date }]) => date;
  return `# Benchmarks

Made by \`npm run bench\`: ${machine.processor}, ${machine.threads} threads, ${machine.memoryGiB} GiB, Node
${machine.node}. Medians of some rounds (three of 2x6, 3x4 and the tabulation, else five), each a process of its own. Counts of
one thread repeat to the digit; times vary with the machine and its load.

## Goals

${goalsTable(results)}

## Processes

\`solve\` is the command, from an empty database; its search includes starting its threads and saving its bounds. \`search\` is
the kernel on one thread with nothing beside it: in a new process, so that compiling counts, and once it is compiled (shorter
searches are repeated for two seconds; the last time counts), of which its nodes a second are. The memory is the process's at its peak.

${tableOf(columns, rows)}
`;
}

/** Formats results beside those of another revision as a table; ratios are those of now to the other. */
export function besideTable(results, revision) {
  const plain = (number) => number.toFixed(number < 10 ? 3 : 1);
  const shown = { wall: plain, processor: plain, peak: formatBytes, nodes: formatCount };
  const names = { wall: "s", processor: "processors, s", peak: "memory", nodes: "nodes" };
  const head = [
    "",
    ...Object.values(names).flatMap((name) => [`${revision}, ${name}`, "now", "ratio"]),
  ];
  const rows = results.map(({ name, other, now }) => [
    name,
    ...Object.entries(shown).flatMap(([figure, show]) =>
      now[figure] === undefined
        ? ["", "", ""]
        : [show(other[figure]), show(now[figure]), formatRatio(now[figure], other[figure])],
    ),
  ]);
  return markdownTable(head, rows, [...head.keys()].slice(1));
}
