/*
 * Puts runs over several processes through trouble: frozen, killed and cut-off processes, a Redis server that refuses,
 * forgets, fails over or asks for another password, streams of bounds that are lost, damaged or late, workers of other
 * builds, a database that is gone. Checks that each run ends as it should: with the values of a run on one machine, or
 * with the reason; in time; without a process left behind; with a log that is short and says what happened. Also checks
 * the licenses and versions of dependencies. Run it before a release.
 *
 *     npm run trouble                              every kind, on 2×5
 *     npm run trouble -- --list                    the kinds
 *     npm run trouble -- --only freeze             the kind of this name, or those whose names contain it
 *     npm run trouble -- --only freeze,memory      the same for several names
 *     npm run trouble -- 2x6 --only streams        on 2×6, for minutes each
 *     npm run trouble -- --runs 20 --seed 2        each kind 20 times, from the second on at random moments
 *     npm run trouble -- --jobs 4                  four runs at a time, most of which wait
 *     npm run trouble -- --slow 100                each question takes at least 100 ms (default: 60)
 *     npm run trouble -- --json                    a line of JSON for each run
 *
 * All processes and Redis servers are real, and listen on this machine alone.
 */
import { formatTable } from "@gridlock/report";
import { CHECKUPS, TROUBLE, Troublemaker } from "@gridlock/testbed";
import { parseCommandLine, refuse } from "./command-line.js";

const { values: flags, positionals } = parseCommandLine({
  allowPositionals: true,
  options: {
    list: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    runs: { type: "string", default: "1" },
    seed: { type: "string", default: "1" },
    jobs: { type: "string", default: "1" },
    slow: { type: "string", default: "60" },
    json: { type: "boolean", default: false },
  },
});

const names = [...Object.keys(TROUBLE), ...Object.keys(CHECKUPS)];
const matching = (only) =>
  names.includes(only) ? [only] : names.filter((name) => name.includes(only));
const chosen = [...new Set(flags.only.split(",").flatMap(matching))];

function list() {
  const rows = names.map((name) => [name, (TROUBLE[name] ?? CHECKUPS[name]).what]);
  console.log(formatTable(["kind", "what happens"], rows));
}

function tell(report) {
  if (flags.json) return console.log(JSON.stringify(report));
  const { kind, run, seconds, limit, lines, faults } = report;
  const verdict = faults.length === 0 ? "right" : `FAILED: ${faults.join("; ")}`;
  if (run === undefined) return console.log(`${kind}: ${verdict}`);
  const figures = `${seconds.toFixed(1)} s of ${limit.toFixed(0)}, ${lines} log lines`;
  console.log(`${kind}, run ${run}: ${figures}: ${verdict}`);
}

/** Makes the checks that need no run. */
async function checkUp(kind) {
  const texts = [];
  const faults = await CHECKUPS[kind]
    .run((text) => (flags.json ? texts.push(text) : console.log(text)))
    .catch((error) => [error.message]);
  const report = { kind, ...(flags.json ? { text: texts.join("\n") } : {}), faults };
  tell(report);
  return report;
}

function summarize(reports) {
  const failures = reports.filter(({ faults }) => faults.length > 0);
  if (failures.length > 0) process.exitCode = 1;
  if (flags.json) return;
  const rows = reports.map(({ kind, run, seconds, limit, lines, faults }) => {
    const figures = run === undefined ? ["", ""] : [seconds.toFixed(1), limit.toFixed(0)];
    const verdict = faults.length === 0 ? "right" : "FAILED";
    return [kind, `${run ?? ""}`, ...figures, `${lines ?? ""}`, verdict];
  });
  const head = ["kind", "run", "seconds", "limit", "log lines", ""];
  console.log(`\n${formatTable(head, rows, [1, 2, 3, 4])}`);
  console.log(
    failures.length === 0
      ? `all ${reports.length} right`
      : `${failures.length} of ${reports.length} FAILED`,
  );
}

function wholeNumber(name, least) {
  const text = flags[name];
  if (/^\d+$/.test(text) && Number(text) >= least) return Number(text);
  return refuse(`--${name} ${text}: expected a whole number of at least ${least}`);
}

if (flags.list) {
  list();
  process.exit();
}
if (chosen.length === 0) refuse(`there is no kind of trouble "${flags.only}"; --list shows all`);
const trouble = new Troublemaker({
  shape: positionals[0] ?? "2x5",
  kinds: chosen.filter((name) => name in TROUBLE),
  runs: wholeNumber("runs", 1),
  seed: wholeNumber("seed", 0),
  jobs: wholeNumber("jobs", 1),
  slow: wholeNumber("slow", 0),
});
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, async () => {
    await trouble[Symbol.asyncDispose]();
    process.exit(130);
  });
}
// Each run is disposed of at its end.
const reports = await trouble.run(tell);
for (const name of chosen) if (name in CHECKUPS) reports.push(await checkUp(name));
summarize(reports);
