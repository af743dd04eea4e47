/*
 * Compares this build with that of another revision, both on this machine and in one run: commands in turns, and the
 * medians of their times and counts.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { counted, formatCount, formatRatio, markdownTable } from "@gridlock/report";
import { GRIDLOCK, temporaryFolder } from "@gridlock/testbed";
import { choose } from "./command.js";
import { buildRevision, commitOf } from "./revision.js";
import { SHAPES, solving } from "./solve.js";
import { takeTurns } from "./turns.js";

/**
 * The measurements: a name, the arguments with which Node is called (given the path of the command's script), and the
 * function that reads a count from the JSON that it prints. A measurement runs in an empty folder, or in a copy of one
 * in which the commands `before` have run. `long` ones take minutes.
 */
const MEASUREMENTS = [
  { name: "start: node alone", command: () => ["-e", "0"] },
  { name: "start: --version", command: (gridlock) => [gridlock, "--version"] },
  {
    name: "start: query of a solved board",
    before: [["solve", "3x3", "--quiet"]],
    command: (gridlock) => [gridlock, "query", "2 0 0/0 4 0/0 0 0"],
  },
  ...SHAPES.slice(-3).flatMap(({ shape, memory, long = false }) =>
    [1, 2].map((threads) => ({
      name: `solve ${shape} with ${counted(threads, "thread")}`,
      long,
      command: (gridlock) => [gridlock, ...solving(shape, threads, memory)],
      count: ({ nodes: { positions, afterstates } }) => positions + afterstates,
    })),
  ),
  {
    name: "tabulate 3x3",
    command: (gridlock) => [gridlock, "tabulate", "3x3", "--json", "--quiet"],
    count: ({ positions }) => positions,
  },
  {
    name: "verify 2x5",
    before: [
      ["solve", "2x5", "--quiet"],
      ["prove", "2x5"],
    ],
    command: (gridlock) => [gridlock, "verify", "2x5", "--json"],
    count: ({ expanded }) => expanded,
  },
];

const seconds = (number) => number.toFixed(number < 10 ? 3 : 1);

/** Formats the results as a table; ratios are those of now to the other. */
function tableOf(results, revision) {
  const head = [
    ...["", `${revision}, s`, "now, s", "ratio", "processors, s", "now, s", "ratio"],
    ...["count", "now", "ratio"],
  ];
  const compared = (other, now, show) => [show(other), show(now), formatRatio(now, other)];
  const rows = results.map(({ name, other, now }) => [
    name,
    ...compared(other.wall, now.wall, seconds),
    ...compared(other.processor, now.processor, seconds),
    ...(now.count === undefined ? ["", "", ""] : compared(other.count, now.count, formatCount)),
  ]);
  return markdownTable(head, rows, [...head.keys()].slice(1));
}

/**
 * Builds a revision in a temporary folder, measures it and this build, and prints a table or JSON.
 *
 * @param flags the revision `beside`, the number of `rounds`, the part `only` of names, `quick` without long ones
 * @returns the exit code
 */
export async function compareWith({ beside, rounds, only, quick, json }) {
  const chosen = choose(MEASUREMENTS, { only, quick });
  const commit = commitOf(beside);
  const controller = new AbortController();
  const { signal } = controller;
  for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => controller.abort());
  const folder = temporaryFolder((remove) => process.on("exit", remove));
  const results = [];
  let failed = 0;
  try {
    console.error(`building ${beside} (${commit.slice(0, 7)})`);
    const script = await buildRevision(commit, join(folder, "revision"), signal);
    const builds = [
      { name: beside, script },
      { name: "now", script: GRIDLOCK },
    ];
    for (const [i, measurement] of chosen.entries()) {
      const { name } = measurement;
      const files = join(folder, `files-${i}`);
      mkdirSync(files);
      const onRun = (round, build) =>
        console.error(`${name}: round ${round} of ${rounds}, ${build}`);
      try {
        const options = { rounds, folder: files, signal, onRun };
        const [other, now] = await takeTurns(measurement, builds, options);
        results.push({ name, other, now });
      } catch (error) {
        signal.throwIfAborted();
        failed++;
        console.error(`error: ${name}: ${error.message}`);
      }
      rmSync(files, { recursive: true });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    console.error("stopped");
  }
  if (json) {
    const madeBy = "npm run bench -- --beside";
    console.log(JSON.stringify({ madeBy, revision: beside, commit, rounds, results }, null, 2));
  } else if (results.length > 0) console.log(tableOf(results, beside));
  return signal.aborted ? 130 : Math.min(failed, 1);
}
