/*
 * Measures the project's performance goals: node counts, which are reproducible with one thread,
 * and times, which vary and so are medians of several rounds, each in a separate process. Writes
 * results/bench/bench.json and bench.md after each group; measurements not made again are kept.
 *
 *     npm run bench                   all, some three hours
 *     npm run bench -- --quick        without 2x6, 3x4 and the moves on 2x5
 *     npm run bench -- --only 3x4     those with this in their names: `solve 3x4 …`, `search 3x4`
 *     npm run bench -- --only Play --tabulated FILE
 *                                     a database beside which 2x5 is already tabulated, which takes
 *                                     40 minutes; with --only server: 3x3, which takes half of one
 *
 * With --beside it measures the command of another revision beside this one's, in turns, and prints
 * a table; it writes no results.
 *
 *     npm run bench -- --beside REV   all, an hour
 *     npm run bench -- --beside REV --quick
 *                                     without 2x6 and 3x4, some minutes
 *     npm run bench -- --beside REV --only 2x6 --rounds 3 --json
 *                                     the measurements with this in their names, in three rounds, as
 *                                     JSON
 */
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { GRIDLOCK, TemporaryFolder } from "@gridlock/testbed";
import { GROUPS } from "./bench/measurements.js";
import { besideTable, markdownOf } from "./bench/report.js";
import { buildRevision, commitOf } from "./bench/revision.js";
import { takeTurns } from "./bench/turns.js";
import { parseCommandLine, wholeNumber } from "./command-line.js";
import { readData, readPage, today, writeData, writePage } from "./results.js";

const ROUNDS = 5;

const { values: flags } = parseCommandLine({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    tabulated: { type: "string" },
    beside: { type: "string" },
    rounds: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const { only, quick, beside, tabulated } = flags;
const wanted = wholeNumber("rounds", flags.rounds, 1);

const isChosen = ({ name, long, isAlone }) =>
  name.includes(only) && !(quick && long) && !(beside !== undefined && isAlone);
const ALL = GROUPS.flat();

// What has been started and all temporary files end with this process.
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    console.error("stopped");
    process.exit(130);
  });
}
const folder = new TemporaryFolder().path;

/** Measures some ways in turns, in a folder that is removed. */
async function measure(ways) {
  const cwd = mkdtempSync(join(folder, "files-"));
  const [{ measurement }] = ways;
  const rounds = measurement.measure ? 1 : (wanted ?? measurement.rounds ?? ROUNDS);
  const tell = (round, { measurement: { name }, build = "now" }) =>
    console.error(`${name}: round ${round} of ${rounds}, ${build}`);
  try {
    if (!measurement.measure) return await takeTurns(ways, rounds, cwd, tell);
    tell(1, { measurement });
    return [await measurement.measure({ cwd, db: tabulated })];
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

/** Measures what is chosen, and writes it to `results/bench/`. */
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
  for (const chosen of GROUPS.map((group) => group.filter(isChosen))) {
    if (chosen.length === 0) continue;
    const found = await measure(chosen.map((measurement) => ({ measurement, script: GRIDLOCK })));
    for (const [i, { name }] of chosen.entries()) {
      const { runs, ...figures } = found[i];
      known[name] = { date: today, ...figures, walls: runs?.map(({ wall }) => wall) };
    }
    const names = ALL.map(({ name }) => name).filter((name) => name in known);
    const results = Object.fromEntries(names.map((name) => [name, known[name]]));
    writeData("bench/bench.json", { madeBy: "npm run bench", machine, results });
    writePage("bench/bench.md", markdownOf({ machine, results }));
  }
  console.log(readPage("bench/bench.md"));
}

/** Measures the command of another revision and this one's, and prints a table or JSON. */
async function measureBeside() {
  const commit = commitOf(beside);
  console.error(`building ${beside} (${commit.slice(0, 7)})`);
  const other = { script: await buildRevision(commit, join(folder, "revision")), build: beside };
  const results = [];
  const print = () => {
    const about = { madeBy: "npm run bench -- --beside", revision: beside, commit };
    if (flags.json) console.log(JSON.stringify({ ...about, results }, null, 2));
    else console.log(besideTable(results, beside));
  };
  process.once("exit", () => results.length > 0 && print());
  for (const measurement of ALL.filter(isChosen)) {
    const { name } = measurement;
    const ways = [other, { script: GRIDLOCK }].map((way) => ({ measurement, ...way }));
    try {
      const [before, now] = await measure(ways);
      results.push({ name, other: before, now });
    } catch (error) {
      console.error(`error: ${name}: ${error.message}`);
      process.exitCode = 1;
    }
  }
}

try {
  if (!ALL.some(isChosen)) {
    const names = ALL.map(({ name }) => name).join(", ");
    throw new Error(`nothing to measure; --only takes part of one of these: ${names}`);
  }
  await (beside === undefined ? measureHere() : measureBeside());
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
}
