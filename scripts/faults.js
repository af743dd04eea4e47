/*
 * Inflicts faults, and checks that what meets them ends as it should. Runs over several processes meet frozen, killed
 * and cut-off processes, a Redis server that refuses, forgets, fails over or asks for another password, streams of
 * bounds that are lost, damaged or late, workers of other builds, a database that is gone: each ends with the published
 * values, or with the reason; in time; without a process left behind; with a log that is short and says what happened.
 * Solves are killed and resumed, files of all formats changed, servers sent nonsense. Run it before a release.
 *
 *     npm run faults                           every kind, as often as --list says
 *     npm run faults -- --list                 the kinds
 *     npm run faults -- freeze memory          those whose names contain one of the words
 *     npm run faults -- stream --shape 2x6     on 2×6, for minutes each (default: 2×5 on a cluster)
 *     npm run faults -- --runs 20 --seed 2     each kind 20 times; runs on a cluster from the second on at random moments
 *     npm run faults -- --jobs 4               four runs at a time, most of which wait
 *     npm run faults -- --log FILE             keeps the reports in a file, a line of JSON each, and repeats no run in it
 *
 * All processes and Redis servers are real, and listen on this machine alone. `timeout 3600` ends it after an hour;
 * kinds take turns.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { formatTable } from "@gridlock/report";
import { FAULT_KINDS, inflictFaults } from "@gridlock/testbed";
import { parseCommandLine, refuse, wholeNumber } from "./command-line.js";

const { values: flags, positionals } = parseCommandLine({
  allowPositionals: true,
  options: {
    list: { type: "boolean", default: false },
    shape: { type: "string" },
    runs: { type: "string" },
    seed: { type: "string", default: "1" },
    jobs: { type: "string", default: "1" },
    log: { type: "string" },
  },
});

/** Runs of less than so many seconds are told only if something is wrong. */
const WORTH_TELLING_S = 1;

const kinds = Object.entries(FAULT_KINDS).filter(
  ([name]) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
);
if (kinds.length === 0) refuse(`no kind of fault has ${positionals} in its name; --list shows all`);
if (flags.list) {
  const rows = kinds.map(([name, { times, what }]) => [name, `${times}`, what]);
  console.log(formatTable(["kind", "runs", "what happens"], rows, [1]));
  process.exit();
}

function tell(report) {
  const { kind, run, seconds, outcome, failure } = report;
  if (flags.log !== undefined) appendFileSync(flags.log, `${JSON.stringify(report)}\n`);
  if (failure === undefined && seconds < WORTH_TELLING_S) return;
  const end = failure === undefined ? `${outcome}: right` : `FAILED: ${failure}`;
  console.log(`${kind}, run ${run}: ${seconds.toFixed(1)} s, ${end}`);
}

/** Returns how often the runs of a kind ended how, and their longest time. */
function summaryOf(name, reports) {
  const runs = reports.filter(({ kind }) => kind === name);
  const ends = new Map();
  for (const { outcome } of runs) ends.set(outcome, (ends.get(outcome) ?? 0) + 1);
  const slowest = Math.max(0, ...runs.map(({ seconds }) => seconds)).toFixed(1);
  return [
    name,
    `${runs.length}`,
    slowest,
    [...ends].map((end) => end.reverse().join(" × ")).join(),
  ];
}

// Whatever runs ends with this process.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130));
const log = flags.log !== undefined && existsSync(flags.log) ? readFileSync(flags.log, "utf8") : "";
const reports = await inflictFaults(
  kinds.map(([name]) => name),
  {
    shape: flags.shape,
    runs: wholeNumber("runs", flags.runs, 1),
    seed: wholeNumber("seed", flags.seed, 0),
    jobs: wholeNumber("jobs", flags.jobs, 1),
  },
  tell,
  log
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line)),
);
const rows = kinds.map(([name]) => summaryOf(name, reports));
console.log(`\n${formatTable(["kind", "runs", "slowest, s", "ends"], rows, [1, 2])}`);
const failed = reports.filter(({ failure }) => failure !== undefined).length;
console.log(failed > 0 ? `${failed} of ${reports.length} FAILED` : `all ${reports.length} right`);
// A run that was given up may still be under way.
process.exit(failed > 0 ? 1 : 0);
