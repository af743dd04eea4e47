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

/** Makes a goal: what a section's result is to have at most, its format, and how to find it there. */
const atMost = (section, what, show, most, of) => ({ section, what, show, most, of });
/** Makes a goal of what it is to have at least. */
const atLeast = (section, what, show, least, of) => ({ section, what, show, least, of });

/** The performance goals. */
const GOALS = [
  atMost("solve 3x3", "3×3: nodes", formatCount, 150_000, ({ one }) => nodesOf(one)),
  atMost("solve 2x6", "2×6: positions", formatCount, 80e6, ({ one }) => one.positions),
  atMost("solve 3x4", "3×4: positions", formatCount, 140e6, ({ one }) => one.positions),
  atMost("search 3x3", "3×3: the search alone", seconds, 0.06, ({ search }) => search),
  atMost("solve 2x6", "2×6: the command's search", seconds, 116, ({ one }) => one.search),
  atMost("solve 3x4", "3×4: the command's search", seconds, 153, ({ one }) => one.search),
  atMost("solve 3x4", "3×4: table", formatBytes, 4 * 2 ** 30, ({ memory }) => memory),
  atLeast("solve 3x4", "3×4, two threads: speed-up", times, 1.7, ({ speedUp }) => speedUp),
  atMost("solve 3x4", "3×4, two threads: extra nodes", formatPercent, 0.1, (of) => of.extraNodes),
  ...Object.entries({ "3x3": 61_000, "2x5": 410_000, "2x6": 56e6, "3x4": 92e6 }).map(
    ([shape, most]) => {
      const what = `${shape.replace("x", "×")} by layers: nodes expanded`;
      return atMost(`layers ${shape} 1G`, what, formatCount, most, ({ expanded }) => expanded);
    },
  ),
  atMost("layers 2x6 6G", "2×6 by layers: time to the search's", times, 2.5, ({ ratio }) => ratio),
  ...[
    atMost("tabulation", "time", seconds, 60, (of) => of.seconds),
    atMost("tabulation", "memory", formatBytes, 2 ** 30, (of) => of.peak),
    atMost("tabulation", "files", megabytes, 200e6, (of) => of.bytes),
    atLeast("tabulation", "look-ups a second", formatCount, 50_000, (of) => of.lookUpsPerSecond),
  ].map((goal) => ({ ...goal, what: `All positions of 3×3: ${goal.what}` })),
  ...[
    atLeast(
      "server",
      "positions of 3×3 a second over 32 connections",
      formatCount,
      5000,
      (of) => of.requestsPerSecond,
    ),
    atMost("server", "99 % of them within", milliseconds, 50, (of) => of.p99),
    atMost("server", "processor time for each", hundredths, 0.2, (of) => of.processorMs.server),
    atLeast(
      "server",
      "positions a second in one batch of 100,000",
      formatCount,
      10_000,
      (of) => of.batch?.boardsPerSecond,
    ),
    atLeast(
      "server",
      "their values alone",
      formatCount,
      40_000,
      (of) => of.values?.boardsPerSecond,
    ),
    atMost(
      "server",
      "memory gained by the batch",
      formatBytes,
      64 * 2 ** 20,
      (of) => of.batch?.gained,
    ),
    atMost("server", "memory of 1,000 idle connections", megabytes, 50e6, (of) => of.idle),
    atMost("server", "a move in Play on 3×3, 99 % within", milliseconds, 50, (of) => of.move.p99),
    atMost(
      "server",
      "failures in 10,000 requests of nonsense",
      formatCount,
      0,
      (of) => of.nonsense.failures,
    ),
    atMost(
      "server",
      "memory gained by the second half of them",
      formatBytes,
      16 * 2 ** 20,
      (of) => of.nonsense.gained,
    ),
    atMost(
      "moves of Play on 2x5",
      "a move in Play on 2×5, 99 % within",
      milliseconds,
      100,
      (of) => of.p99,
    ),
  ].map((goal) => ({ ...goal, what: `The server: ${goal.what}` })),
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
