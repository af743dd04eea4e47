/*
 * Checks the sources, two or more at a time: all checks, or those that are named. Prints what each of them finds, and
 * exits with 1 if any finds fault.
 *
 *     npm run check                    all
 *     npm run check -- lint docs       these
 *     npm run check -- --but api       all others
 */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { text } from "node:stream/consumers";
import { parseCommandLine } from "./command-line.js";

/** The commands of the checks. The first one compiles what most others read, and runs before them. */
const CHECKS = {
  types: "tsc -b && tsc -p tsconfig.test.json",
  lint: "biome check --error-on-warnings . && node scripts/format-assembly.js --check",
  docs: "markdownlint-cli2",
  ladder: "node scripts/check-ladder.js",
  unused: "knip",
  kernel: "node scripts/compile.js --check",
  generated: "node scripts/generate.js --check",
  api: "node scripts/check-api.js",
};

const { values: flags, positionals } = parseCommandLine({
  allowPositionals: true,
  options: { but: { type: "string", multiple: true, default: [] } },
});
const unknown = [...positionals, ...flags.but].find((name) => !(name in CHECKS));

/** Runs a check; prints its name and, in one piece, what it says. */
async function run(name) {
  const child = spawn(CHECKS[name], { shell: true, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const isFaultless = (await ended) === 0;
  const what = isFaultless ? "" : `\n${out}${error}`;
  console.log(`${name}: ${isFaultless ? "ok" : "FAILED"}${what}`);
  if (!isFaultless) process.exitCode = 1;
  return isFaultless;
}

async function runAll(names) {
  const queue = [...names];
  if (queue[0] === "types" && !(await run(queue.shift()))) return;
  const work = async () => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) await run(name);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

if (unknown !== undefined) {
  console.error(`there is no check "${unknown}"; expected some of ${Object.keys(CHECKS)}`);
  process.exitCode = 2;
} else {
  const chosen = positionals.length > 0 ? positionals : Object.keys(CHECKS);
  await runAll(Object.keys(CHECKS).filter((n) => chosen.includes(n) && !flags.but.includes(n)));
}
