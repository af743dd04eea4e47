/* Formats the measurements as Markdown, with the goals. */
import { formatBytes, formatCount, formatPercent } from "@gridlock/report";
import { tableOf } from "../results.js";

/** Formats all times in one unit, so that the numbers of a column are comparable at a glance. */
const seconds = (number) => `${number.toFixed(number < 10 ? 3 : 1)} s`;
const perSecond = (rate) => `${formatCount(rate / 1000)} k`;
const times = (number) => `${number.toFixed(2)} ×`;
/** Formats file sizes in decimal units, like their goal. */
const megabytes = (bytes) => `${formatCount(bytes / 1e6)} MB`;
const milliseconds = (number) => `${number.toFixed(1)} ms`;
const hundredths = (number) => `${number.toFixed(2)} ms`;

const nodesOf = ({ positions, afterstates }) => positions + afterstates;

/** Lists the performance goals: what is measured, its figure if it has been, the goal, and the format of both. */
function goalsOf(sections) {
  const of = (name) => sections[name]?.result;
  const [small, wide, large] = ["3x3", "2x6", "3x4"].map((shape) => of(`solve ${shape}`));
  const [all, served] = [of("tabulation"), of("server")];
  const ofAll = [
    ["time", all?.seconds, "≤", 60, seconds],
    ["memory", all?.peak, "≤", 2 ** 30, formatBytes],
    ["files", all?.bytes, "≤", 200e6, megabytes],
    ["look-ups a second", all?.lookUpsPerSecond, "≥", 50_000, formatCount],
  ];
  const rate = served?.requestsPerSecond;
  const ofServer = [
    ["positions of 3×3 a second over 32 connections", rate, "≥", 5000, formatCount],
    ["99 % of them within", served?.p99, "≤", 50, milliseconds],
    ["processor time for each", served?.processorMs.server, "≤", 0.2, hundredths],
    ["positions a second in one batch of 100,000", served?.batch?.boardsPerSecond, "≥", 1e4],
    ["their values alone", served?.values?.boardsPerSecond, "≥", 40_000],
    ["memory gained by the batch", served?.batch?.gained, "≤", 64 * 2 ** 20, formatBytes],
    ["memory of 1,000 idle connections", served?.idle, "≤", 50e6, megabytes],
    ["a move in Play on 3×3, 99 % within", served?.move.p99, "≤", 50, milliseconds],
    ["failures in 10,000 requests of nonsense", served?.nonsense.failures, "≤", 0],
    [
      "memory gained by the second half of them",
      served?.nonsense.gained,
      "≤",
      2 ** 24,
      formatBytes,
    ],
    ["a move in Play on 2×5, 99 % within", of("moves of Play on 2x5")?.p99, "≤", 100, milliseconds],
  ];
  return [
    ["3×3: nodes", small && nodesOf(small.one), "≤", 150_000],
    ["2×6: positions", wide?.one.positions, "≤", 80e6],
    ["3×4: positions", large?.one.positions, "≤", 140e6],
    ["3×3: the search alone", of("search 3x3")?.search, "≤", 0.06, seconds],
    ["2×6: the command's search", wide?.one.search, "≤", 116, seconds],
    ["3×4: the command's search", large?.one.search, "≤", 153, seconds],
    ["3×4: table", large?.memory, "≤", 4 * 2 ** 30, formatBytes],
    ["3×4, two threads: speed-up", large?.speedUp, "≥", 1.7, times],
    ["3×4, two threads: extra nodes", large?.extraNodes, "≤", 0.1, formatPercent],
    ...ofAll.map(([what, ...goal]) => [`All positions of 3×3: ${what}`, ...goal]),
    ...ofServer.map(([what, ...goal]) => [`The server: ${what}`, ...goal]),
  ].map(([what, figure, sign, limit, show = formatCount]) => ({ what, figure, sign, limit, show }));
}

const GOALS = {
  "": ({ what }) => what,
  goal: ({ sign, limit, show }) => `${sign} ${show(limit)}`,
  measured: ({ figure, show }) => (figure === undefined ? "not measured" : show(figure)),
  " ": ({ figure, sign, limit }) => {
    if (figure === undefined) return "";
    return (sign === "≤" ? figure <= limit : figure >= limit) ? "met" : "missed";
  },
};

const COMMAND = {
  "": ({ shape, run: { threads } }) => `${shape}, ${threads} thread${threads === 1 ? "" : "s"}`,
  positions: ({ run }) => formatCount(run.positions),
  afterstates: ({ run }) => formatCount(run.afterstates),
  search: ({ run }) => seconds(run.search),
  "whole process": ({ run }) => seconds(run.process),
  "nodes a second": ({ run }) => perSecond(run.nodesPerSecond),
  table: ({ memory }) => formatBytes(memory),
  memory: ({ run }) => formatBytes(run.peak),
  "two threads": ({ run, speedUp, extraNodes }) =>
    run.threads === 1 ? "" : `${times(speedUp)} as fast, ${formatPercent(extraNodes)} extra nodes`,
  date: ({ date }) => date,
};

const SEARCH = {
  "": ({ shape }) => shape,
  positions: ({ positions }) => formatCount(positions),
  afterstates: ({ afterstates }) => formatCount(afterstates),
  search: ({ search }) => seconds(search),
  "once compiled": ({ again }) => seconds(again),
  "nodes a second": ({ nodesPerSecond }) => perSecond(nodesPerSecond),
  table: ({ buckets }) => formatBytes(32 * buckets),
  memory: ({ peak }) => formatBytes(peak),
  date: ({ date }) => date,
};

const TABULATION = {
  "": ({ shape }) => shape,
  positions: ({ positions }) => formatCount(positions),
  time: (result) => seconds(result.seconds),
  memory: ({ peak }) => formatBytes(peak),
  files: ({ bytes }) => megabytes(bytes),
  "look-ups a second": ({ lookUpsPerSecond }) => formatCount(lookUpsPerSecond),
  date: ({ date }) => date,
};

const OTHERS = {
  "": ({ what }) => what,
  "whole process": ({ process }) => (process ? seconds(process) : ""),
  date: ({ date }) => date,
};

/** Formats all measurements; `sections` has each section's date and result by name. */
export function markdownOf({ machine, sections }) {
  const all = Object.entries(sections);
  /** Lists the results of a kind, or of all kinds that have several, with their dates. */
  const of = (kind) =>
    all.flatMap(([name, { date, result }]) =>
      (kind ? name.split(" ")[0] === kind : Array.isArray(result))
        ? [result].flat().map((one) => ({ ...one, date }))
        : [],
    );
  const solves = of("solve").flatMap((one) => [one.one, one.two].map((run) => ({ ...one, run })));
  return `# Benchmarks

Made by \`npm run bench\`: ${machine.processor}, ${machine.threads} threads, ${machine.memoryGiB} GiB, Node
${machine.node}. Medians of some runs (three of 2x6 and 3x4, else five), each a process of its own. Counts of one
thread repeat to the digit; times vary with the machine and its load.

## Goals

${tableOf(GOALS, goalsOf(sections))}

## The command

\`gridlock solve\`, all starts, from an empty database; one thread and two in turn. The search includes starting its
threads and saving its bounds; the memory is the process's at its peak.

${tableOf(COMMAND, solves)}

## The search alone

The kernel on one thread with nothing beside it: in a new process, so that compiling counts, and once it is compiled
(shorter searches are repeated for two seconds; the last time counts). Nodes a second are those of compiled code.

${tableOf(SEARCH, of("search"))}

## All positions

\`gridlock tabulate\` with two threads; then random positions by \`gridlock query --values --json\`, their blocks in memory.

${tableOf(TABULATION, of("tabulation"))}

## Beside the search

${tableOf(OTHERS, of())}
`;
}
