/*
 * Inflicts faults, and checks that what meets them ends as it should. Runs over several processes meet frozen, killed
 * and cut-off processes, a Redis server that refuses, forgets, fails over or asks for another password, streams of
 * bounds that are lost, damaged or late, workers of other builds, a database that is gone: each ends with the values of
 * a run on one machine, or with the reason; in time; without a process left behind; with a log that is short and says
 * what happened. Solves are killed and resumed, certificates falsified, files of all formats changed, servers sent
 * nonsense. Run it before a release.
 *
 *     npm run faults                           every kind, as often as --list says
 *     npm run faults -- --list                 the kinds
 *     npm run faults -- freeze claim           the kind of this name, or those whose names contain it
 *     npm run faults -- stream --shape 2x6     on 2×6, for minutes each (default: 2×5 on a cluster)
 *     npm run faults -- --runs 20 --seed 2     each kind 20 times; runs on a cluster from the second on at random moments
 *     npm run faults -- --jobs 4               four runs at a time, most of which wait
 *     npm run faults -- --seconds 3600         begins no run after an hour; kinds take turns
 *     npm run faults -- --log FILE             keeps the reports in a file, and repeats no run that is in it
 *     npm run faults -- --memory 3G            the memory of solves that are killed
 *     npm run faults -- --slow 100             each question on a cluster takes at least 100 ms (default: 60)
 *     npm run faults -- --json                 a line of JSON for each run
 *
 * All processes and Redis servers are real, and listen on this machine alone.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { formatTable } from "@gridlock/report";
import { FAULT_KINDS, inflictFaults } from "@gridlock/testbed";
import { parseCommandLine, refuse } from "./command-line.js";

const { values: flags, positionals } = parseCommandLine({
  allowPositionals: true,
  options: {
    list: { type: "boolean", default: false },
    shape: { type: "string" },
    memory: { type: "string" },
    runs: { type: "string" },
    seed: { type: "string", default: "1" },
    jobs: { type: "string", default: "1" },
    slow: { type: "string", default: "60" },
    seconds: { type: "string" },
    log: { type: "string" },
    json: { type: "boolean", default: false },
  },
});

const names = Object.keys(FAULT_KINDS);
const chosen = new Set((positionals.length > 0 ? positionals : [""]).flatMap(matching));

function matching(part) {
  if (names.includes(part)) return [part];
  const found = names.filter((name) => name.includes(part));
  return found.length > 0 ? found : refuse(`there is no kind of fault "${part}"; --list shows all`);
}

function wholeNumber(name, least) {
  const text = flags[name];
  if (text === undefined || (/^\d+$/.test(text) && Number(text) >= least))
    return text && Number(text);
  return refuse(`--${name} ${text}: expected a whole number of at least ${least}`);
}

/** Runs of less than so many seconds are told only if something is wrong. */
const WORTH_TELLING_S = 1;

const lineOf = ({ kind, run, seconds, outcome, failures }) =>
  `${kind}, run ${run}: ${seconds.toFixed(1)} s, ${outcome}: ${failures.length === 0 ? "right" : `FAILED: ${failures.join("; ")}`}`;

function tell(report) {
  const line = JSON.stringify(report);
  if (flags.log !== undefined) appendFileSync(flags.log, `${line}\n`);
  if (flags.json) console.log(line);
  else if (report.failures.length > 0 || report.seconds > WORTH_TELLING_S)
    console.log(lineOf(report));
}

/** Prints a line for each kind: how often its runs ended how. */
function summarize(reports) {
  const rows = [...chosen].map((name) => {
    const runs = reports.filter(({ kind }) => kind === name);
    const outcomes = new Map();
    for (const { outcome } of runs) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    const failed = runs.filter(({ failures }) => failures.length > 0).length;
    const slowest = Math.max(0, ...runs.map(({ seconds }) => seconds)).toFixed(1);
    const ends = [...outcomes].map(([outcome, count]) => `${count} × ${outcome}`).join(", ");
    return [name, `${runs.length}`, slowest, failed === 0 ? "right" : `${failed} FAILED`, ends];
  });
  console.log(`\n${formatTable(["kind", "runs", "slowest, s", "", "ends"], rows, [1, 2])}`);
}

if (flags.list) {
  const rows = names.map((name) => [name, `${FAULT_KINDS[name].times}`, FAULT_KINDS[name].what]);
  console.log(formatTable(["kind", "runs", "what happens"], rows, [1]));
  process.exit();
}
const options = {
  shape: flags.shape,
  memory: flags.memory,
  runs: wholeNumber("runs", 1),
  seed: wholeNumber("seed", 0),
  jobs: wholeNumber("jobs", 1),
  slow: wholeNumber("slow", 0),
  seconds: wholeNumber("seconds", 1),
};
// Whatever runs ends with this process.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130));
const log = flags.log !== undefined && existsSync(flags.log) ? readFileSync(flags.log, "utf8") : "";
const known = log
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line));
const reports = await inflictFaults([...chosen], options, tell, known);
if (!flags.json) summarize(reports);
const failed = reports.filter(({ failures }) => failures.length > 0).length;
if (!flags.json)
  console.log(
    failed === 0 ? `all ${reports.length} right` : `${failed} of ${reports.length} FAILED`,
  );
// A run that was given up may still be under way.
process.exit(failed === 0 && reports.length > 0 ? 0 : 1);
