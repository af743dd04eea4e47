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
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { parseShape } from "@gridlock/game";
import { wrapMarkdown, writeWhole } from "@gridlock/report";
import { compareWith } from "./bench/beside.js";
import { choose } from "./bench/command.js";
import { benchCertificate, benchDatabase, benchSnapshots } from "./bench/database.js";
import { benchLayers, nameOf, PROOFS } from "./bench/layers.js";
import { markdownOf } from "./bench/report.js";
import { benchSearch } from "./bench/search.js";
import { benchPlaying, benchServing } from "./bench/serving.js";
import { benchSolve, SHAPES } from "./bench/solve.js";
import { benchTabulation } from "./bench/tabulation.js";
import { parseCommandLine } from "./command-line.js";

const RESULTS = fileURLToPath(new URL("../results/bench", import.meta.url));

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

const SECTIONS = [
  ...SHAPES.map((shape) => ({
    name: `solve ${shape.shape}`,
    long: shape.long,
    measure: (folder) => benchSolve(shape, folder),
  })),
  ...SHAPES.map((shape) => ({
    name: `search ${shape.shape}`,
    long: shape.long,
    measure: () => benchSearch(shape),
  })),
  ...PROOFS.map((proof) => ({
    name: nameOf(proof),
    long: proof.long,
    measure: (folder) => benchLayers(proof, folder),
  })),
  { name: "tabulation", measure: benchTabulation },
  {
    name: "server",
    measure: (folder) => benchServing(resolve(flags.tabulated ?? join(folder, "0/tabulation.db"))),
  },
  {
    name: "moves of Play on 2x5",
    long: true,
    measure: (folder) =>
      benchPlaying(parseShape("2x5"), resolve(flags.tabulated ?? join(folder, "tabulation.db"))),
  },
  { name: "database", measure: benchDatabase },
  { name: "certificate", measure: benchCertificate },
  { name: "snapshots of 2x6", long: true, measure: benchSnapshots },
];

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
  try {
    const results = JSON.parse(readFileSync(join(RESULTS, "bench.json"), "utf8"));
    if (isDeepStrictEqual(results.machine, machine)) return results.sections ?? {};
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  return {};
}

function write(sections) {
  const names = SECTIONS.map(({ name }) => name).filter((name) => name in sections);
  const results = {
    madeBy: "npm run bench",
    machine,
    sections: Object.fromEntries(names.map((name) => [name, sections[name]])),
  };
  mkdirSync(RESULTS, { recursive: true });
  writeWhole(join(RESULTS, "bench.json"), `${JSON.stringify(results, null, 2)}\n`);
  const markdown = wrapMarkdown(markdownOf(results));
  writeWhole(join(RESULTS, "bench.md"), markdown);
  return markdown;
}

/** Measures the chosen sections, and writes them to `results/bench/`. */
async function measureSections() {
  const chosen = choose(SECTIONS, flags);
  const sections = before();
  const folder = mkdtempSync(join(tmpdir(), "gridlock-bench-"));
  try {
    for (const { name, measure } of chosen) {
      console.error(`measuring: ${name}`);
      const result = await measure(folder);
      sections[name] = { date: new Date().toISOString().slice(0, 10), result };
      write(sections);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(write(sections));
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
