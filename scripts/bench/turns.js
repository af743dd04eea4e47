/* Measures processes, in turns. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Process, TemporaryFolder } from "@gridlock/testbed";

const USAGE = fileURLToPath(new URL("usage.cjs", import.meta.url));
/** A file for what the process that runs has used. */
const USAGE_FILE = join(new TemporaryFolder().path, "usage.json");

/** Returns the median; of an even number of values, the larger of the middle two. */
export function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/**
 * Runs Node with some arguments in a folder. No two may run at the same time.
 *
 * @returns the seconds of the clock (`wall`) and of all processors (`processor`), the bytes of memory at its `peak`,
 *   and the output
 * @throws {Error} with what the process said, if it fails
 */
export async function timed([script, ...args], cwd, input = "") {
  const env = { ...process.env, USAGE_FILE };
  const began = performance.now();
  const { child, ended } = new Process(script, args, { cwd, env, node: ["--require", USAGE] });
  child.stdin.end(input);
  const { code, stdout, stderr } = await ended;
  const wall = (performance.now() - began) / 1000;
  if (code !== 0) throw new Error(`${[script, ...args].join(" ")}: ${stdout}${stderr}`.trim());
  return { wall, ...JSON.parse(readFileSync(USAGE_FILE, "utf8")), stdout };
}

/**
 * Runs processes in turns, those of odd rounds in reverse order. Each runs in an empty folder, or in a copy of one in
 * which others have run before.
 *
 * @param ways of each process: its measurement, and the `script` of the command that it measures
 * @param folder for files
 * @param onRun is called before each run with its round, from 1, and its way
 * @returns the medians of the figures of each way, in their order, with those of all `runs`
 */
export async function takeTurns(ways, rounds, folder, onRun) {
  const all = ways.map((way) => ({ ...way, home: mkdtempSync(join(folder, "way-")), runs: [] }));
  for (const { script, home, measurement } of all) {
    for (const args of measurement.before ?? []) await timed([script, ...args], home);
  }
  const cwd = join(folder, "place");
  for (let round = 1; round <= rounds; round++) {
    for (const way of round % 2 === 1 ? all : all.toReversed()) {
      const { measurement, script, home, runs } = way;
      onRun(round, way);
      cpSync(home, cwd, { recursive: true });
      const { stdout, ...usage } = await timed(
        measurement.command(script),
        cwd,
        measurement.input?.(),
      );
      rmSync(cwd, { recursive: true });
      const { same, ...figures } = measurement.figures?.(JSON.parse(stdout)) ?? {};
      if (runs.length > 0 && same !== way.same)
        throw new Error(`${measurement.name}: ${same} after ${way.same}`);
      way.same = same;
      const boards = measurement.boards && { boards: measurement.boards / usage.wall };
      runs.push({ ...usage, ...boards, ...figures });
    }
  }
  return all.map(({ runs }) => {
    const medianOf = (figure) => [figure, median(runs.map((run) => run[figure]))];
    return { ...Object.fromEntries(Object.keys(runs[0]).map(medianOf)), runs };
  });
}
