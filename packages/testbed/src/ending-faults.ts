import { readdirSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Values, valuesIn } from "./cluster-run.js";
import type { Process } from "./command.js";
import type { Ending } from "./trouble-kind.js";
import { until } from "./until.js";

/** Lines at the end of a command's log in which it says why it ends. */
const LAST_LINES = 3;

/** Waits for a result, for a time in milliseconds; returns nothing if that has passed. */
export async function atMost<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  const timer = new AbortController();
  const late = sleep(milliseconds, undefined, { signal: timer.signal }).catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort();
  }
}

/** Returns what the solve did wrong, as sentences. */
export async function solveFaults(
  { solve, fails, stopsWith = 0 }: Pick<Ending, "solve" | "fails" | "stopsWith">,
  expected: Values,
): Promise<string[]> {
  const { code, signal, stdout } = await solve.ended;
  if (fails !== undefined) return wrongFailure("the solve", solve, code ?? signal, fails);
  if (code !== stopsWith) return [`the solve ended with ${code ?? signal}: ${lastLine(solve)}`];
  if (stopsWith !== 0) return [];
  return valuesIn(stdout) === expected ? [] : ["other values"];
}

/** Returns what was wrong with a failure: the exit code, or the reason. */
function wrongFailure(
  who: string,
  process: Process,
  code: number | string | null,
  reason: RegExp,
): string[] {
  const last = logLines(process.stderr).slice(-LAST_LINES);
  if (code === 1 && last.some((line) => reason.test(line))) return [];
  return [`${who} ended with ${code}, expected 1 and ${reason}: ${lastLine(process)}`];
}

/**
 * Waits for the ends of all workers, after SIGTERM unless they must fail; returns what they did
 * wrong.
 */
export async function workerFaults(
  workers: readonly Process[],
  { workersFail }: Pick<Ending, "workersFail">,
  patience: number,
): Promise<string[]> {
  const all = workers.map(async (worker, i) => {
    const who = `worker ${i + 1}`;
    const wasRunning = worker.isRunning;
    if (workersFail === undefined) {
      // It handles signals by the time when it logs something.
      await until("it has begun", () => !worker.isRunning || worker.stderr !== "");
      worker.child.kill("SIGTERM");
    }
    const outcome = await atMost(patience, worker.ended);
    if (outcome === undefined) {
      return [`${who} has not ended ${patience / 1000} s later: ${lastLine(worker)}`];
    }
    const { code, signal } = outcome;
    if (signal === "SIGKILL") return []; // by the trouble itself
    if (workersFail !== undefined) return wrongFailure(who, worker, code ?? signal, workersFail);
    if (code === 0) return [];
    const when = wasRunning ? "after SIGTERM" : "by itself";
    return [`${who} ended ${when} with ${code ?? signal}: ${lastLine(worker)}`];
  });
  return (await Promise.all(all)).flat();
}

/** Returns the processes that still work in a folder, as a sentence, or nothing. Finds them on Linux only. */
export function leftBehind(folder: string): string[] {
  const pids = processes().filter((pid) => workingFolder(pid) === folder);
  return pids.length === 0 ? [] : [`processes left behind: ${pids.join(", ")}`];
}

function processes(): string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function workingFolder(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined; // it has ended
  }
}

function lastLine(process: Process): string {
  return shorten(logLines(process.stderr).at(-1) ?? "nothing logged");
}

/** Describes what the commands of a run have logged last. */
export function describeLast(solve: Process | undefined, workers: readonly Process[]): string {
  const parts = workers.map((worker, i) => `worker ${i + 1}: ${lastLine(worker)}`);
  return [...(solve === undefined ? [] : [`the solve: ${lastLine(solve)}`]), ...parts].join("; ");
}

/** Lines that all commands of a run may log together. */
const MOST_LINES = 1000;

/** Sentences of libraries, which tell a user nothing, and warnings of Node. */
const FOREIGN = [
  "maxRetriesPerRequest",
  "max retries per request",
  "enableOfflineQueue",
  "Stream isn't writeable",
  "Socket timeout",
  "Connection is closed",
  "(node:",
  "    at ",
];

/** Returns the faults of what the commands of a run have logged, as sentences. */
export function logFaults(lines: readonly string[]): string[] {
  const faults = FOREIGN.flatMap((text) => {
    const found = lines.filter((line) => line.includes(text));
    const [first] = found;
    return first === undefined
      ? []
      : [`${found.length} lines have "${text.trim()}": ${shorten(first)}`];
  });
  if (lines.length >= MOST_LINES) {
    faults.push(`${lines.length} log lines; expected fewer than ${MOST_LINES}`);
  }
  return faults;
}

/** Returns what a command has logged, as lines. */
export function logLines(stderr: string): string[] {
  return stderr.split("\n").filter((line) => line !== "");
}

/** Shortens a line for a report. */
export function shorten(line: string): string {
  return line.length > 240 ? `${line.slice(0, 237)}...` : line;
}
