import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ClusterRun, publishedValues, type RunOptions, valuesIn } from "./cluster-run.js";
import type { Process } from "./command.js";
import type { Outcome } from "./command-host.js";
import { CuttablePort } from "./cuttable-port.js";
import { atMost, until } from "./until.js";

/** A run with two workers and a solve, under way unless the fault says otherwise. */
export interface Begun {
  readonly run: ClusterRun;
  readonly first: Process;
  readonly second: Process;
  /** Through this, one of them reaches the server. */
  readonly proxy: CuttablePort;
}

/** Does something to a run, or waits for something; throws with what is wrong. */
export type Step = (begun: Begun) => unknown;

/** A fault of a run on a cluster. */
export interface ClusterFault {
  /** A description, for the name of its test. */
  readonly what: string;
  /** The steps of the fault, in their order. */
  readonly steps: readonly Step[];
  /** Seconds that it lasts. Default: 0. */
  readonly seconds?: number;
  /** Default: a server of its own. */
  readonly isCluster?: boolean;
  /** The process that reaches the server through a proxy. Default: none. */
  readonly proxied?: "first" | "solve";
  /** Least milliseconds of each question. */
  readonly slow?: number;
  /** Begins without a solve, which the fault starts. */
  readonly isIdle?: boolean;
  /**
   * The exit code of the solve started last, or the reason that it gives when it exits with 1.
   * Default: 0, with the right values.
   */
  readonly solve?: number | RegExp;
  /** The reason that all workers give when they exit with 1. Default: 0, after SIGTERM. */
  readonly workers?: RegExp;
  /** Checks what is left when all commands have ended. */
  readonly after?: Step;
}

/** Milliseconds within which a worker must end after SIGTERM on a machine busy with other tests. */
const LEAVE_MS = 60_000;

/**
 * Disturbs a run of two workers and a solve. It must end as the fault says and in time, without a
 * process left behind, and with a log that is short and says what happened.
 *
 * @param lasts seconds that it may take besides its fault: several times as long as it takes
 *   undisturbed
 * @param delay milliseconds of search before; by default, until it has answered three questions
 * @throws {Error} saying what was wrong
 */
export async function inflict(
  fault: ClusterFault,
  {
    lasts,
    delay,
    ...options
  }: Pick<RunOptions, "shape" | "slow"> & {
    readonly lasts: number;
    readonly delay?: number | undefined;
  },
): Promise<void> {
  const { isCluster, proxied, slow, isIdle, seconds = 0 } = fault;
  await using run = new ClusterRun({ ...options, isCluster });
  await run.startRedis();
  using proxy = await CuttablePort.open(run.redis.port);
  const urlOf = (who: string) => (who === proxied ? proxy.url : run.redis.url);
  const begin = (name: string) => run.worker(name, { url: urlOf(name), slow });
  const begun = { run, first: begin("first"), second: begin("second"), proxy };
  const disturbed = async () => {
    if (isIdle) await run.workers(2);
    else {
      run.solve(urlOf("solve"));
      await run.working();
      await (delay === undefined ? run.progress(3) : sleep(delay));
      if (!run.coordinator.isRunning) throw new Error("the solve was over too early");
    }
    for (const step of fault.steps) await step(begun);
    return await run.coordinator.ended;
  };
  const limit = lasts + seconds;
  const outcome = await atMost(1000 * limit, disturbed());
  const all = [...run.coordinators, ...run.workerProcesses];
  if (outcome === undefined) {
    throw new Error(`not over after ${limit} s; logged last: ${all.map(lastLine).join("; ")}`);
  }
  await checkSolve(run.coordinator, options.shape, fault.solve);
  const patience = fault.workers ? 1000 * seconds : LEAVE_MS;
  await checkWorkers(run.workerProcesses, fault.workers, patience);
  await fault.after?.(begun);
  checkNothingRuns(run.folder);
  checkLog(all.flatMap(linesOf));
}

/** Checks how a process has ended: with a code or, for a reason among its last lines, with 1. */
function checkEnd(
  who: string,
  process: Process,
  { code, signal }: Outcome,
  expected: number | RegExp,
): void {
  const isReason = typeof expected !== "number";
  const last = linesOf(process).slice(-3);
  const says = !isReason || last.some((line) => expected.test(line));
  if (says && code === (isReason ? 1 : expected)) return;
  const wanted = isReason ? `1 and ${expected}` : expected;
  throw new Error(`${who} ended with ${code ?? signal}, expected ${wanted}: ${lastLine(process)}`);
}

/**
 * Waits for the end of a solve, and checks it and, unless it is stopped or fails, its values.
 *
 * @param game the game's name in `results/`, such as `2x3` or `2x3-tiles-2`
 */
export async function checkSolve(
  solve: Process,
  game: string,
  expected: number | RegExp = 0,
): Promise<void> {
  checkEnd("the solve", solve, await solve.ended, expected);
  if (expected === 0 && valuesIn(solve.stdout) !== publishedValues(game)) {
    throw new Error("other values");
  }
}

/** Waits for all workers to end, after SIGTERM unless they must fail for a reason; checks them. */
export async function checkWorkers(
  workers: readonly Process[],
  reason: RegExp | undefined,
  patience: number,
): Promise<void> {
  const checks = workers.map(async (worker, i) => {
    const who = `worker ${i + 1}`;
    if (reason === undefined) {
      // It handles signals by the time when it logs something.
      await until("it has begun", () => !worker.isRunning || worker.stderr !== "");
      worker.child.kill("SIGTERM");
    }
    const outcome = await atMost(patience, worker.ended);
    if (outcome === undefined) {
      throw new Error(`${who} has not ended ${patience / 1000} s later: ${lastLine(worker)}`);
    }
    // SIGKILL is by the fault itself.
    if (outcome.signal !== "SIGKILL") checkEnd(who, worker, outcome, reason ?? 0);
  });
  await Promise.all(checks);
}

/** Checks that no process works in a folder, under Linux. */
export function checkNothingRuns(folder: string): void {
  const pids = (existsSync("/proc") ? readdirSync("/proc") : []).filter((name) => {
    try {
      return readlinkSync(`/proc/${name}/cwd`) === folder;
    } catch {
      return false; // no process, or it has ended
    }
  });
  if (pids.length > 0) throw new Error(`processes left behind: ${pids.join(", ")}`);
}

/** Lines that all commands of a run may log together. */
const MOST_LINES = 1000;
/** Sentences of libraries, which tell a user nothing, and warnings of Node. */
const FOREIGN =
  /maxRetriesPerRequest|max retries per request|enableOfflineQueue|Stream isn't writeable|Socket timeout|Connection is closed|\(node:| {4}at /;

/** Checks what the commands of a run have logged. */
export function checkLog(lines: readonly string[]): void {
  const foreign = lines.filter((line) => FOREIGN.test(line));
  if (foreign.length > 0) {
    throw new Error(`${foreign.length} log lines for no user, such as ${foreign[0]}`);
  }
  if (lines.length >= MOST_LINES) {
    throw new Error(`${lines.length} log lines; expected fewer than ${MOST_LINES}`);
  }
}

function linesOf({ stderr }: Process): string[] {
  return stderr.split("\n").filter((line) => line !== "");
}

function lastLine(process: Process): string {
  return linesOf(process).at(-1)?.slice(0, 240) ?? "nothing logged";
}
