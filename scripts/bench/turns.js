/* Measures processes, in turns. */
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const PEAK = fileURLToPath(new URL("peak.cjs", import.meta.url));

/** Returns the median; of an even number of values, the larger of the middle two. */
export function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/**
 * Runs a process in a group of its own, so that a Ctrl-C reaches it by `signal` alone, and waits for its end.
 *
 * @returns its output, and what it wrote to the file descriptor 3
 * @throws {Error} with what it said, if it fails
 * @throws the signal's reason once the process has ended, if it was aborted
 */
export async function runProcess(program, args, { cwd, input = "", signal }) {
  signal?.throwIfAborted();
  const child = spawn(program, args, { cwd, detached: true, stdio: Array(4).fill("pipe") });
  const stop = () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, "SIGINT");
  };
  signal?.addEventListener("abort", stop);
  try {
    const [stdin, ...outputs] = child.stdio;
    stdin.on("error", () => {}); // a process that fails reads nothing
    stdin.end(input);
    const [status, stdout, stderr, more] = await Promise.all([
      new Promise((resolve, reject) => child.on("close", resolve).on("error", reject)),
      ...outputs.map((stream) => text(stream)),
    ]);
    signal?.throwIfAborted();
    if (status !== 0)
      throw new Error(`${program} ${args.join(" ")} failed: ${stdout}${stderr}`.trim());
    return { stdout, more };
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/**
 * Runs Node with some arguments.
 *
 * @param options `cwd`, `input` and `signal`
 * @returns the seconds of the clock (`wall`) and of all processors (`processor`), the bytes of memory at its `peak`,
 *   and the output
 */
export async function timed(args, options) {
  const began = performance.now();
  const { stdout, more } = await runProcess(
    process.execPath,
    ["--require", PEAK, ...args],
    options,
  );
  return { wall: (performance.now() - began) / 1000, ...JSON.parse(more), stdout };
}

/**
 * Runs processes in turns, those of odd rounds in reverse order. Each runs in an empty folder, or in a copy of one in
 * which others have run before.
 *
 * @param ways of each process: its measurement, and the `script` of the command that it measures
 * @param options `rounds`, an empty `folder` for files, a `signal` to stop, and `onRun`, which is called before each run
 *   with its round, from 1, and its way
 * @returns the medians of the figures of each way, in their order, with those of all `runs`
 */
export async function takeTurns(ways, { rounds, folder, signal, onRun = () => {} }) {
  const all = ways.map((way) => ({
    ...way,
    prepared: mkdtempSync(join(folder, "way-")),
    runs: [],
  }));
  for (const { script, prepared, measurement } of all) {
    for (const args of measurement.before ?? [])
      await timed([script, ...args], { cwd: prepared, signal });
  }
  const cwd = join(folder, "place");
  for (let round = 1; round <= rounds; round++) {
    for (const way of round % 2 === 1 ? all : all.toReversed()) {
      const { measurement, script, prepared, runs } = way;
      onRun(round, way);
      cpSync(prepared, cwd, { recursive: true });
      const { stdout, ...figures } = await timed(measurement.command(script), {
        cwd,
        signal,
        input: measurement.input?.(),
      });
      rmSync(cwd, { recursive: true });
      if (measurement.boards) figures.boards = measurement.boards / figures.wall;
      const json = measurement.figures && JSON.parse(stdout);
      runs.push({ ...figures, ...measurement.figures?.(json) });
      if (measurement.same) way.found = demandSame(measurement, way.found, json);
    }
  }
  for (const { prepared } of all) rmSync(prepared, { recursive: true });
  return all.map(({ runs }) => ({ ...mediansOf(runs), runs }));
}

/** Returns the medians of all figures of runs. */
function mediansOf(runs) {
  return Object.fromEntries(
    Object.keys(runs[0]).map((figure) => [figure, median(runs.map((run) => run[figure]))]),
  );
}

function demandSame({ name, same }, before, json) {
  const found = same(json);
  if (before !== undefined && found !== before)
    throw new Error(`${name}: ${found} after ${before}`);
  return found;
}
