/* Formats the measurements as Markdown, with the goals. */
import { formatBytes, formatCount, formatPercent, markdownTable } from "@gridlock/report";

/** Formats all times in one unit, so that the numbers of a column are comparable at a glance. */
const seconds = (number) => `${number.toFixed(number < 10 ? 3 : 1)} s`;
const perSecond = (rate) => `${formatCount(rate / 1000)} k`;
const times = (number) => `${number.toFixed(2)} ×`;
/** Formats file sizes in decimal units, like their goal. */
const megabytes = (bytes) => `${formatCount(bytes / 1e6)} MB`;

const milliseconds = (number) => `${number.toFixed(1)} ms`;
const hundredths = (number) => `${number.toFixed(2)} ms`;

const nodesOf = ({ positions, afterstates }) => positions + afterstates;

/** The performance goals: a number from a section's result, and its maximum or minimum. */
const GOALS = [
  ...[
    { what: "3×3: nodes", section: "solve 3x3", of: ({ one }) => nodesOf(one), most: 150_000 },
    { what: "2×6: positions", section: "solve 2x6", of: ({ one }) => one.positions, most: 80e6 },
    { what: "3×4: positions", section: "solve 3x4", of: ({ one }) => one.positions, most: 140e6 },
  ].map((goal) => ({ ...goal, show: formatCount })),
  ...[
    {
      what: "3×3: the search alone",
      section: "search 3x3",
      of: ({ search }) => search,
      most: 0.06,
    },
    {
      what: "2×6: the command's search",
      section: "solve 2x6",
      of: ({ one }) => one.search,
      most: 116,
    },
    {
      what: "3×4: the command's search",
      section: "solve 3x4",
      of: ({ one }) => one.search,
      most: 153,
    },
  ].map((goal) => ({ ...goal, show: seconds })),
  {
    ...{ what: "3×4: table", section: "solve 3x4", show: formatBytes },
    ...{ of: ({ memory }) => memory, most: 4 * 2 ** 30 },
  },
  {
    ...{ what: "3×4, two threads: speed-up", section: "solve 3x4", show: times },
    ...{ of: ({ speedUp }) => speedUp, least: 1.7 },
  },
  {
    ...{ what: "3×4, two threads: extra nodes", section: "solve 3x4", show: formatPercent },
    ...{ of: ({ extraNodes }) => extraNodes, most: 0.1 },
  },
  ...[
    { shape: "3x3", most: 61_000 },
    { shape: "2x5", most: 410_000 },
    { shape: "2x6", most: 56e6 },
    { shape: "3x4", most: 92e6 },
  ].map(({ shape, most }) => ({
    what: `${shape.replace("x", "×")} by layers: nodes expanded`,
    section: `layers ${shape} 1G`,
    ...{ show: formatCount, of: ({ expanded }) => expanded, most },
  })),
  {
    ...{ what: "2×6 by layers: time to the search's", section: "layers 2x6 6G", show: times },
    ...{ of: ({ ratio }) => ratio, most: 2.5 },
  },
  ...[
    { what: "time", show: seconds, of: (result) => result.seconds, most: 60 },
    { what: "memory", show: formatBytes, of: (result) => result.peak, most: 2 ** 30 },
    { what: "files", show: megabytes, of: (result) => result.bytes, most: 200e6 },
    {
      what: "look-ups a second",
      show: formatCount,
      of: (result) => result.lookUpsPerSecond,
      least: 50_000,
    },
  ].map((goal) => ({
    ...goal,
    what: `All positions of 3×3: ${goal.what}`,
    section: "tabulation",
  })),
  ...[
    {
      what: "positions of 3×3 a second over 32 connections",
      ...{ show: formatCount, of: (result) => result.requestsPerSecond, least: 5000 },
    },
    {
      what: "99 % of them within",
      ...{ show: milliseconds, of: (result) => result.p99, most: 50 },
    },
    {
      what: "processor time for each",
      ...{ show: hundredths, of: (result) => result.processorMs.server, most: 0.2 },
    },
    {
      what: "positions a second in one batch of 100,000",
      ...{ show: formatCount, of: (result) => result.batch?.boardsPerSecond, least: 10_000 },
    },
    {
      what: "their values alone",
      ...{ show: formatCount, of: (result) => result.values?.boardsPerSecond, least: 40_000 },
    },
    {
      what: "memory gained by the batch",
      ...{ show: formatBytes, of: (result) => result.batch?.gained, most: 64 * 2 ** 20 },
    },
    {
      what: "memory of 1,000 idle connections",
      ...{ show: megabytes, of: (result) => result.idle, most: 50e6 },
    },
    {
      what: "a move in Play on 3×3, 99 % within",
      ...{ show: milliseconds, of: (result) => result.move.p99, most: 50 },
    },
    {
      what: "failures in 10,000 requests of nonsense",
      ...{ show: formatCount, of: (result) => result.nonsense.failures, most: 0 },
    },
    {
      what: "memory gained by the second half of them",
      ...{ show: formatBytes, of: (result) => result.nonsense.gained, most: 16 * 2 ** 20 },
    },
  ].map((goal) => ({ ...goal, what: `The server: ${goal.what}`, section: "server" })),
  {
    what: "The server: a move in Play on 2×5, 99 % within",
    section: "moves of Play on 2x5",
    ...{ show: milliseconds, of: (result) => result.p99, most: 100 },
  },
];

function goalRow({ what, section, of, most, least, show }, sections) {
  const goal = most === undefined ? `≥ ${show(least)}` : `≤ ${show(most)}`;
  const figure = sections[section] && of(sections[section].result);
  if (figure === undefined) return [what, goal, "not measured", ""];
  const met = most === undefined ? figure >= least : figure <= most;
  return [what, goal, show(figure), met ? "met" : "missed"];
}

/** Returns a table whose columns, except the first, are right-aligned. */
function table(head, rows) {
  return markdownTable(head, rows, [...head.keys()].slice(1)).split("\n");
}

function solveRows({ date, result: { shape, memory, one, two, speedUp, extraNodes } }) {
  const row = (threads, run, gain) => [
    ...[`${shape}, ${threads}`, formatCount(run.positions), formatCount(run.afterstates)],
    ...[seconds(run.search), seconds(run.process), perSecond(run.nodesPerSecond)],
    ...[formatBytes(memory), formatBytes(run.peak), gain, date],
  ];
  return [
    row("1 thread", one, ""),
    row("2 threads", two, `${times(speedUp)} as fast, ${formatPercent(extraNodes)} extra nodes`),
  ];
}

function searchRow({ date, result }) {
  const { shape, buckets } = result;
  return [
    ...[shape, formatCount(result.positions), formatCount(result.afterstates)],
    ...[seconds(result.search), seconds(result.again), perSecond(result.nodesPerSecond)],
    ...[formatBytes(32 * buckets), formatBytes(result.peak)],
    date,
  ];
}

function tabulationRow({ date, result }) {
  return [
    ...[
      result.shape,
      formatCount(result.positions),
      seconds(result.seconds),
      formatBytes(result.peak),
    ],
    ...[megabytes(result.bytes), formatCount(result.lookUpsPerSecond), date],
  ];
}

function layersRow({ date, result }) {
  return [
    ...[result.shape, formatCount(result.guess), formatCount(result.expanded)],
    ...[seconds(result.seconds), seconds(result.search), times(result.ratio)],
    ...[formatBytes(result.memory), formatBytes(result.peak), megabytes(result.bytes), date],
  ];
}

/** Formats all measurements; `sections` has each section's date and result by name. */
export function markdownOf({ machine, sections }) {
  const of = (kind) =>
    Object.entries(sections).flatMap(([name, section]) =>
      name.startsWith(`${kind} `) ? [section] : [],
    );
  const others = Object.values(sections).filter(({ result }) => Array.isArray(result));
  return [
    "# Benchmarks",
    "",
    `Made by \`npm run bench\`: ${machine.processor}, ${machine.threads} threads, ${machine.memoryGiB} GiB, Node`,
    `${machine.node}. Medians of some runs (three of 2x6 and 3x4, else five), each a process of its own. Counts of one`,
    "thread repeat to the digit; times vary with the machine and its load.",
    "",
    "## Goals",
    "",
    ...table(
      ["", "goal", "measured", ""],
      GOALS.map((goal) => goalRow(goal, sections)),
    ),
    "",
    "## The command",
    "",
    "`gridlock solve`, all starts, from an empty database; one thread and two in turn. The search includes starting its",
    "threads and saving its bounds; the memory is the process's at its peak.",
    "",
    ...table(
      [
        ...["", "positions", "afterstates", "search", "whole process", "nodes a second"],
        ...["table", "memory", "two threads", "date"],
      ],
      of("solve").flatMap(solveRows),
    ),
    "",
    "## The search alone",
    "",
    "The kernel on one thread with nothing beside it: in a new process, so that compiling counts, and once it is compiled",
    "(shorter searches are repeated for two seconds; the last time counts). Nodes a second are those of compiled code.",
    "",
    ...table(
      [
        ...["", "positions", "afterstates", "search", "once compiled", "nodes a second", "table"],
        ...["memory", "date"],
      ],
      of("search").map(searchRow),
    ),
    "",
    "## Proofs by layers",
    "",
    "`gridlock solve --method layers`, all starts, from an empty folder, with two threads, once; beside it the search, which has",
    "a table of its own size, as above. The memory is that of the blocks, and the process's at its peak; the files are those",
    "of the finished proof.",
    "",
    ...table(
      [
        ...["", "first threshold", "nodes expanded", "time", "search", "to the search's"],
        ...["blocks", "memory", "files", "date"],
      ],
      of("layers").map(layersRow),
    ),
    "",
    "## All positions",
    "",
    "`gridlock tabulate` with two threads; then random positions by `gridlock query --values --json`, their blocks in memory.",
    "",
    ...table(
      ["", "positions", "time", "memory", "files", "look-ups a second", "date"],
      Object.entries(sections).flatMap(([name, section]) =>
        name === "tabulation" ? [tabulationRow(section)] : [],
      ),
    ),
    "",
    "## Beside the search",
    "",
    ...table(
      ["", "whole process", "date"],
      others.flatMap(({ date, result }) =>
        result.map(({ what, process }) => [what, process ? seconds(process) : "", date]),
      ),
    ),
    "",
  ].join("\n");
}
