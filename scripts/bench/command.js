/* Runs processes and measures them. */
import { spawnSync } from "node:child_process";
import { GRIDLOCK } from "@gridlock/testbed";

const PEAK = new URL("peak.js", import.meta.url).href;

/**
 * Runs a script in a separate Node process. Returns its output, the time of the whole process in seconds, and its peak
 * memory in bytes.
 */
export function runScript(script, args, { folder, input = "" } = {}) {
  const began = performance.now();
  const { status, error, output } = spawnSync(
    process.execPath,
    ["--import", PEAK, script, ...args],
    { cwd: folder, input, encoding: "utf8", maxBuffer: 2 ** 30, stdio: Array(4).fill("pipe") },
  );
  const seconds = (performance.now() - began) / 1000;
  if (error) throw error;
  if (status !== 0) throw new Error(`${script} ${args.join(" ")} failed: ${output[2]}`);
  return { output: output[1], seconds, peak: 1024 * Number(output[3]) };
}

/** Runs the command, as {@link runScript} does. */
export function gridlock(args, options) {
  return runScript(GRIDLOCK, args, options);
}

/**
 * Returns the measurements whose names contain `only`, without long ones if `quick`.
 *
 * @throws {Error} if no measurement is left; the message lists all names
 */
export function choose(all, { only, quick }) {
  const chosen = all.filter(({ name, long }) => name.includes(only) && !(quick && long));
  if (chosen.length > 0) return chosen;
  const names = all.map(({ name }) => name).join(", ");
  throw new Error(`nothing to measure; --only takes part of one of these: ${names}`);
}

/** Returns the median; of an even number of values, the larger of the middle two. */
export function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** Returns the medians of some fields of runs. */
export function mediansOf(runs, ...fields) {
  return Object.fromEntries(fields.map((field) => [field, median(runs.map((run) => run[field]))]));
}

/** Throws unless all runs have found the same result, given as text. */
export function demandSame(what, found) {
  if (new Set(found).size > 1) {
    throw new Error(`${what} differ between runs: ${found.join(" | ")}`);
  }
}
