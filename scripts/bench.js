/*
 * Measures the project's performance goals: node counts, which are reproducible with one thread,
 * and times, which vary and so are medians of several rounds, each in a separate process. Writes
 * results/bench/bench.json and bench.md after each round; measurements not made again are kept.
 *
 *     npm run bench                   all, some three hours
 *     npm run bench -- --quick        without 2x6, 3x4 and the moves on 2x5
 *     npm run bench -- --only 3x4     those with this in their names: `solve 3x4 …`
 *     npm run bench -- --only Play --tabulated FILE
 *                                     a database beside which 2x5 is already tabulated, which takes
 *                                     40 minutes; with --only server: 3x3, which takes half of one
 *
 * With --beside it measures the command of another revision beside this one's, in turns, and prints
 * a table; it writes no results. npm installs the packages that the revision needs.
 *
 *     npm run bench -- --beside REV   all, an hour
 *     npm run bench -- --beside REV --quick
 *                                     without 2x6 and 3x4, some minutes
 *     npm run bench -- --beside REV --only 2x6 --rounds 3
 *                                     the measurements with this in their names, in three rounds
 */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { GRIDLOCK, TemporaryFolder } from "@gridlock/testbed";
import { MEASUREMENTS } from "./bench/measurements.js";
import { besideTable, markdownOf } from "./bench/report.js";
import { buildRevision, commitOf } from "./bench/revision.js";
import { timed } from "./bench/timed.js";
import { parseCommandLine, refuse, wholeNumber } from "./command-line.js";
import { readData, readPage, today, writeData, writePage } from "./results.js";

const ROUNDS = 5;

const { values: flags } = parseCommandLine({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    tabulated: { type: "string" },
    beside: { type: "string" },
    rounds: { type: "string" },
  },
});
const { only, quick, beside, tabulated } = flags;
const wanted = wholeNumber("rounds", flags.rounds, 1);

const chosen = MEASUREMENTS.filter(
  ({ name, long, measure }) =>
    name.includes(only) && !(quick && long) && !(beside !== undefined && measure),
);
if (chosen.length === 0) {
  const names = MEASUREMENTS.map(({ name }) => name).join(", ");
  refuse(`nothing to measure; --only takes part of one of these: ${names}`);
}

// What has been started and all temporary files end with this process.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130));
const folder = new TemporaryFolder().path;

/** Measures once, in an empty folder or a copy of the one in which the commands before have run. */
async function run({ measurement, script, home }) {
  const { command, input, figures, boards, measure } = measurement;
  const cwd = mkdtempSync(join(folder, "place-"));
  try {
    if (measure) return await measure({ cwd, db: tabulated });
    cpSync(home, cwd, { recursive: true });
    const { stdout, ...usage } = await timed(command(script), cwd, input?.());
    const answered = boards && { boards: boards / usage.wall };
    return { ...usage, ...answered, ...figures?.(JSON.parse(stdout)) };
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

/** Returns the medians of runs' figures; for an even number, the larger of the middle two. */
function mediansOf(runs) {
  const middle = (figure) =>
    runs.map((run) => run[figure]).toSorted((a, b) => a - b)[Math.floor(runs.length / 2)];
  return Object.fromEntries(Object.keys(runs[0]).map((figure) => [figure, middle(figure)]));
}

/**
 * Measures some builds of the command in turns, every second round in reverse order.
 *
 * @param onRound is called after each round with the measurements that are complete: the medians of
 *   each build, and all runs of the last one
 */
async function measureAll(builds, onRound) {
  const ways = [];
  for (const measurement of chosen) {
    const rounds = measurement.measure ? 1 : (wanted ?? measurement.rounds ?? ROUNDS);
    for (const { build, script } of builds) {
      const home = mkdtempSync(join(folder, "home-"));
      for (const args of measurement.before ?? []) await timed([script, ...args], home);
      ways.push({ measurement, rounds, build, script, home, runs: [] });
    }
  }
  for (let round = 1; ways.some(({ rounds }) => round <= rounds); round++) {
    for (const way of round % 2 === 1 ? ways : ways.toReversed()) {
      const { measurement, rounds, build, runs } = way;
      if (round > rounds) continue;
      console.error(`${measurement.name}: round ${round} of ${rounds}, ${build}`);
      const { same, ...figures } = await run(way);
      if (runs.length > 0 && same !== way.same) {
        throw new Error(`${measurement.name}: ${same} after ${way.same}`);
      }
      way.same = same;
      runs.push(figures);
    }
    const complete = chosen.map((measurement) => {
      const own = ways.filter((way) => way.measurement === measurement);
      const medians = own.map(({ runs }) => mediansOf(runs));
      return { name: measurement.name, medians, runs: own.at(-1).runs };
    });
    onRound(complete);
  }
}

/** Measures this build, and writes what is found to `results/bench/`. */
async function measureHere() {
  const machine = {
    processor: cpus()[0].model.trim(),
    threads: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
  };
  // Results of other machines are not comparable.
  const earlier = readData("bench/bench.json");
  const known = isDeepStrictEqual(earlier.machine, machine) ? earlier.results : {};
  await measureAll([{ build: "now", script: GRIDLOCK }], (found) => {
    for (const { name, medians, runs } of found) {
      const walls = runs.flatMap(({ wall }) => wall ?? []);
      known[name] = { date: today, ...medians[0], walls };
    }
    const names = MEASUREMENTS.map(({ name }) => name).filter((name) => name in known);
    const results = Object.fromEntries(names.map((name) => [name, known[name]]));
    writeData("bench/bench.json", { madeBy: "npm run bench", machine, results });
    writePage("bench/bench.md", markdownOf({ machine, results }));
  });
  console.log(readPage("bench/bench.md"));
}

/** Measures another revision and this build, and prints a table. */
async function measureBeside() {
  const commit = commitOf(beside);
  console.error(`building ${beside}`);
  const script = await buildRevision(commit, join(folder, "revision"));
  const other = { build: beside, script };
  let found = [];
  process.once("exit", () => found.length > 0 && console.log(besideTable(found, beside)));
  await measureAll([other, { build: "now", script: GRIDLOCK }], (complete) => {
    found = complete;
  });
}

try {
  await (beside === undefined ? measureHere() : measureBeside());
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
}
