/*
 * Checks the sources, two or more at a time: all checks, or those that are named. Prints what each
 * of them finds, and exits with 1 if any finds fault.
 *
 *     npm run check                    all
 *     npm run check -- lint docs       these
 *     npm run check -- --but api       all others
 */
import { exec } from "node:child_process";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { parseCommandLine, refuse } from "./command-line.js";

/** The commands of the checks. The first compiles what most others read, and runs before them. */
const CHECKS = {
  types: "tsc -b && tsc -p tsconfig.test.json",
  lint: "biome check --error-on-warnings . && node scripts/format-assembly.js --check",
  docs: "markdownlint-cli2",
  ladder: "node scripts/check-ladder.js",
  unused: "knip",
  kernel: "node scripts/compile.js --check",
  generated: "node scripts/generate.js --check",
  browsers: "node scripts/check-browsers.js",
  api: "node scripts/check-api.js",
};

const { values: flags, positionals } = parseCommandLine({
  allowPositionals: true,
  options: { but: { type: "string", multiple: true, default: [] } },
});
const names = Object.keys(CHECKS);
const unknown = [...positionals, ...flags.but].find((name) => !names.includes(name));
if (unknown !== undefined) refuse(`there is no check "${unknown}"; expected some of ${names}`);

/** Runs a check; prints its name and, in one piece, what it says. */
async function run(name) {
  try {
    await promisify(exec)(CHECKS[name], { maxBuffer: 2 ** 26 });
    console.log(`${name}: ok`);
  } catch ({ stdout, stderr }) {
    console.log(`${name}: FAILED\n${stdout}${stderr}`);
    process.exitCode = 1;
  }
}

const chosen = positionals.length > 0 ? positionals : names;
const queue = names.filter((name) => chosen.includes(name) && !flags.but.includes(name));
if (queue[0] === "types") await run(queue.shift());
const work = async () => {
  while (queue.length > 0) await run(queue.shift());
};
if (process.exitCode !== 1) await Promise.all(Array.from({ length: availableParallelism() }, work));
