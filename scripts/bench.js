/*
 * Measures the project's performance goals: node counts, which are reproducible with one thread,
 * and times, which vary and so are medians of several runs, each in a separate process. Writes
 * results/bench/bench.json and bench.md section by section; sections not measured again are kept.
 *
 *     npm run bench                   all, some three hours
 *     npm run bench -- --quick        without 2x6, 3x4 and the moves on 2x5
 *     npm run bench -- --only 3x4     the sections with this in their names: `solve 3x4`, `search 3x4`
 *     npm run bench -- --only Play --tabulated FILE
 *                                     a database beside which 2x5 is already tabulated, which takes
 *                                     40 minutes; with --only server: 3x3, which takes half of one
 *
 * With --beside it measures the command of another revision beside this one's, in turns, and prints
 * a table; it writes no results.
 *
 *     npm run bench -- --beside REV   all, an hour; medians of five rounds
 *     npm run bench -- --beside REV --quick
 *                                     without 2x6 and 3x4, some minutes
 *     npm run bench -- --beside REV --only 2x6 --rounds 3 --json
 *                                     the measurements with this in their names, in three rounds, as
 *                                     JSON
 */
import { availableParallelism, cpus, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parseShape } from "@gridlock/game";
import { temporaryFolder } from "@gridlock/testbed";
import { compareWith } from "./bench/beside.js";
import { choose } from "./bench/command.js";
import { benchCertificate, benchDatabase, benchSnapshots } from "./bench/database.js";
import { markdownOf } from "./bench/report.js";
import { benchPlaying, benchServing } from "./bench/serving.js";
import { benchSearch, benchSolve, SHAPES } from "./bench/solve.js";
import { benchTabulation } from "./bench/tabulation.js";
import { parseCommandLine } from "./command-line.js";
import { readData, readPage, today, writeData, writePage } from "./results.js";

const { values: flags } = parseCommandLine({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    tabulated: { type: "string" },
    beside: { type: "string" },
    rounds: { type: "string", default: "5" },
    json: { type: "boolean", default: false },
  },
});

/** Returns the database beside which a shape is tabulated, or will be. */
const tabulated = (file) => resolve(flags.tabulated ?? file);

/** The sections: their names, whether they take minutes, and their measurements, given a temporary folder. */
const SECTIONS = [
  ...SHAPES.map((shape) => [`solve ${shape.shape}`, shape.long, (f) => benchSolve(shape, f)]),
  ...SHAPES.map((shape) => [`search ${shape.shape}`, shape.long, () => benchSearch(shape)]),
  ["tabulation", false, benchTabulation],
  ["server", false, (f) => benchServing(tabulated(join(f, "0/tabulation.db")))],
  [
    ...["moves of Play on 2x5", true],
    (f) => benchPlaying(parseShape("2x5"), tabulated(join(f, "tabulation.db"))),
  ],
  ["database", false, benchDatabase],
  ["certificate", false, benchCertificate],
  ["snapshots of 2x6", true, benchSnapshots],
].map(([name, long, measure]) => ({ name, long, measure }));

const machine = {
  processor: cpus()[0].model.trim(),
  threads: availableParallelism(),
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.versions.node,
};

/**
 * Returns the earlier results if they are from this machine: results of other machines are not
 * comparable.
 */
function before() {
  const results = readData("bench/bench.json");
  return isDeepStrictEqual(results.machine, machine) ? results.sections : {};
}

function write(sections) {
  const names = SECTIONS.map(({ name }) => name).filter((name) => name in sections);
  const results = {
    madeBy: "npm run bench",
    machine,
    sections: Object.fromEntries(names.map((name) => [name, sections[name]])),
  };
  writeData("bench/bench.json", results);
  writePage("bench/bench.md", markdownOf(results));
}

/** Measures the chosen sections, and writes them to `results/bench/`. */
async function measureSections() {
  const chosen = choose(SECTIONS, flags);
  const sections = before();
  const folder = temporaryFolder((remove) => process.on("exit", remove));
  for (const { name, measure } of chosen) {
    console.error(`measuring: ${name}`);
    sections[name] = { date: today, result: await measure(folder) };
    write(sections);
  }
  console.log(readPage("bench/bench.md"));
}

/** Compares this build with another revision's; sets the exit code of the process. */
async function measureBeside(beside) {
  try {
    const rounds = Number(flags.rounds);
    if (!(Number.isInteger(rounds) && rounds > 0)) {
      throw new Error(`--rounds ${flags.rounds} is not a positive integer`);
    }
    process.exitCode = await compareWith({ ...flags, beside, rounds });
  } catch (error) {
    console.error(`error: ${error.message}`);
    process.exitCode = 1;
  }
}

if (flags.beside === undefined) await measureSections();
else await measureBeside(flags.beside);
