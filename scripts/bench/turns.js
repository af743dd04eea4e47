/* Measures two builds of the command in turns. */
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { mediansOf } from "./command.js";

/** Prints the seconds of a command, and those of all processors, on the file descriptor 3; passes on its exit code. */
const TIMED = 'TIMEFORMAT="%3R %3U %3S"; { time "$@" 2>&4; } 4>&2 2>&3';

/**
 * Runs a process in a group of its own, so that a Ctrl-C reaches it by `signal` alone, and waits for its end.
 *
 * @returns its exit code, its output, and what it wrote to the file descriptor 3
 * @throws the signal's reason once the process has ended, if it was aborted
 */
export async function runProcess(program, args, { cwd, signal }) {
  signal.throwIfAborted();
  const child = spawn(program, args, {
    cwd,
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const stop = () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, "SIGINT");
  };
  signal.addEventListener("abort", stop);
  try {
    const [, stdout, stderr, times] = child.stdio;
    const [status, ...texts] = await Promise.all([
      new Promise((resolve, reject) => child.on("close", resolve).on("error", reject)),
      ...[stdout, stderr, times].map((stream) => text(stream)),
    ]);
    signal.throwIfAborted();
    return { status, stdout: texts[0], stderr: texts[1], times: texts[2] };
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Runs Node with some arguments; returns the seconds of the clock and of the processors, and the output. */
async function timed(args, cwd, signal) {
  const command = ["-c", TIMED, "bash", process.execPath, ...args];
  const { status, stdout, stderr, times } = await runProcess("bash", command, { cwd, signal });
  if (status !== 0) throw new Error(`node ${args.join(" ")} failed: ${stderr.trim()}`);
  const [wall, user, system] = times.trim().split(" ").map(Number);
  return { wall, processor: user + system, stdout };
}

/**
 * Runs a measurement with each of some builds in turns, the first one last in every other round.
 *
 * @param builds the name of each build, and the script of its command
 * @param folder an empty folder for files
 * @param onRun called before each run with its round, from 1, and the name of the build
 * @returns the medians of each build, in the order of `builds`
 */
export async function takeTurns(measurement, builds, { rounds, folder, signal, onRun }) {
  const { before = [], command, count } = measurement;
  const all = builds.map((build, i) => ({ ...build, prepared: join(folder, `${i}`), runs: [] }));
  for (const { script, prepared } of all) {
    mkdirSync(prepared);
    for (const args of before) await timed([script, ...args], prepared, signal);
  }
  const place = join(folder, "place");
  for (let round = 1; round <= rounds; round++) {
    for (const { name, script, prepared, runs } of round % 2 === 1 ? all : all.toReversed()) {
      onRun(round, name);
      cpSync(prepared, place, { recursive: true });
      const { stdout, ...times } = await timed(command(script), place, signal);
      rmSync(place, { recursive: true });
      runs.push({ ...times, ...(count && { count: count(JSON.parse(stdout)) }) });
    }
  }
  const fields = ["wall", "processor", ...(count ? ["count"] : [])];
  return all.map(({ runs }) => ({ ...mediansOf(runs, ...fields), runs }));
}
