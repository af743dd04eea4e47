/* Runs processes and measures them. */
import { spawnSync } from "node:child_process";

const PEAK = new URL("peak.js", import.meta.url).href;

/**
 * Runs a script in a separate Node process. Returns its output, the time of the whole process in seconds, and its peak
 * memory in bytes.
 */
export function runScript(script, args, { folder, input = "" } = {}) {
  const began = performance.now();
  const { status, error, stderr, output } = spawnSync(
    process.execPath,
    ["--import", PEAK, script, ...args],
    {
      cwd: folder,
      input,
      encoding: "utf8",
      maxBuffer: 2 ** 30,
      stdio: ["pipe", "pipe", "pipe", "pipe"],
    },
  );
  const seconds = (performance.now() - began) / 1000;
  if (error) throw error;
  if (status !== 0) throw new Error(`${script} ${args.join(" ")} failed: ${stderr}`);
  return { output: output[1], seconds, peak: 1024 * Number(output[3]) };
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

/** Throws unless all runs have found the same result, given as text. */
export function demandSame(what, found) {
  if (new Set(found).size > 1) {
    throw new Error(`${what} differ between runs: ${found.join(" | ")}`);
  }
}
