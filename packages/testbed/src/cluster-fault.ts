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
  /** Through these, the first worker and the solve reach the server if a fault says so. */
  readonly proxies: Readonly<Record<"first" | "solve", CuttablePort>>;
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
  readonly proxied?: keyof Begun["proxies"];
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
  readonly after?: (begun: Pick<Begun, "run">) => unknown;
}

/** Milliseconds within which a worker must end after SIGTERM on a machine busy with other tests. */
const LEAVE_MS = 60_000;

/**
 * Disturbs a run of two workers and a solve by faults, one after another until the solve is over.
 * After each, work must go on in time. The run must end as the last one says, without a process
 * left behind, and with a log that is short and says what happened.
 *
 * @param faults at least one; how the run begins is up to the first of them
 * @param lasts seconds that the run may take besides a fault: several times as long as it takes
 *   undisturbed
 * @param delay milliseconds of search before a fault; by default, until three questions are
 *   answered
 * @returns the number of faults that were inflicted, at least one
 * @throws {Error} saying what was wrong
 */
export async function inflict(
  faults: readonly ClusterFault[],
  {
    lasts,
    delay,
    ...options
  }: Pick<RunOptions, "shape" | "slow"> & {
    readonly lasts: number;
    readonly delay?: (() => number) | undefined;
  },
): Promise<number> {
  const [{ isCluster, slow, isIdle }] = faults as [ClusterFault];
  await using run = new ClusterRun({ ...options, isCluster });
  await run.startRedis();
  using first = await CuttablePort.open(run.redis.port);
  using solve = await CuttablePort.open(run.redis.port);
  const proxies = { first, solve };
  const urlOf = (who: keyof typeof proxies) =>
    faults.some(({ proxied }) => proxied === who) ? proxies[who].url : run.redis.url;
  run.worker("first", { url: urlOf("first"), slow });
  run.worker("second", { slow });
  const inflicted: ClusterFault[] = [];
  const disturb = async (fault: ClusterFault) => {
    await twoWorkers(run);
    if (!isIdle) {
      if (inflicted.length === 0) run.solve(urlOf("solve"));
      await run.working();
      await (delay === undefined ? run.progress(3) : sleep(delay()));
      if (!run.coordinator.isRunning) throw new Error("the solve was over too early");
    }
    const [one, other] = run.workerProcesses.filter(({ isRunning }) => isRunning);
    const begun = { run, first: one as Process, second: other as Process, proxies };
    for (const step of fault.steps) await step(begun);
    inflicted.push(fault);
    if (fault === faults.at(-1)) await run.coordinator.ended;
    return true;
  };
  const logged = () => [...run.coordinators, ...run.workerProcesses];
  try {
    for (const fault of faults) {
      const limit = lasts + (fault.seconds ?? 0);
      const isOver = await atMost(1000 * limit, disturb(fault)).catch((error: unknown) => {
        if (inflicted.length === 0 || run.coordinator.isRunning) throw error;
        return true; // it came too late for the solve
      });
      if (!isOver) {
        const last = logged().map(lastLine).join("; ");
        throw new Error(`not over after ${limit} s; logged last: ${last}`);
      }
      if (!run.coordinator.isRunning) break;
    }
    const { solve: expected, workers, seconds = 0, after } = inflicted.at(-1) as ClusterFault;
    await checkSolve(run.coordinator, options.shape, expected);
    await checkWorkers(run.workerProcesses, workers, workers ? 1000 * seconds : LEAVE_MS);
    await after?.({ run });
    checkNothingRuns(run.folder);
    checkLog(logged().flatMap(linesOf), inflicted.length);
  } catch (error) {
    const before = inflicted.map(({ what }) => what).join("; ");
    throw new Error(`${(error as Error).message} (faults: ${before})`, { cause: error });
  }
  return inflicted.length;
}

/**
 * Lets workers beyond the second leave, starts others in place of those that have ended, and waits
 * until both have joined: one that starts while Redis refuses it would end.
 */
async function twoWorkers(run: ClusterRun): Promise<void> {
  const two = run.workerProcesses.filter(({ isRunning }) => isRunning);
  await Promise.all(two.splice(2).map((worker) => worker.kill("SIGTERM")));
  while (two.length < 2) two.push(run.worker());
  await until("both workers have joined", async () => {
    const { workers } = await run.status();
    return two.every(({ child }) => workers.some(({ pid }) => pid === child.pid));
  });
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

/** Lines that all commands of a run may log together for each fault. */
const MOST_LINES = 1000;
/** Sentences of libraries, which tell a user nothing, and warnings of Node. */
const FOREIGN =
  /maxRetriesPerRequest|max retries per request|enableOfflineQueue|Stream isn't writeable|Socket timeout|Connection is closed|\(node:| {4}at /;

/** Checks what the commands of a run with a number of faults have logged. */
export function checkLog(lines: readonly string[], faults = 1): void {
  const foreign = lines.filter((line) => FOREIGN.test(line));
  if (foreign.length > 0) {
    throw new Error(`${foreign.length} log lines for no user, such as ${foreign[0]}`);
  }
  const most = MOST_LINES * faults;
  if (lines.length >= most) {
    throw new Error(`${lines.length} log lines; expected fewer than ${most}`);
  }
}

function linesOf({ stderr }: Process): string[] {
  return stderr.split("\n").filter((line) => line !== "");
}

function lastLine(process: Process): string {
  return linesOf(process).at(-1)?.slice(0, 240) ?? "nothing logged";
}
