import { ClusterRun, type Values, valuesHere } from "./cluster-run.js";
import {
  atMost,
  describeLast,
  leftBehind,
  logFaults,
  logLines,
  solveFaults,
  workerFaults,
} from "./ending-faults.js";
import type { FaultEnd, FaultKind, FaultOptions, FaultRun } from "./fault-kind.js";
import type { TroubleKind } from "./trouble-kind.js";

/** Milliseconds within which a worker must end after SIGTERM. */
const LEAVE_MS = 10_000;
/** Times the undisturbed run that a run may take, besides the length of its trouble. */
const TIMES = 3;
/** The part of the undisturbed run within which later runs are disturbed. */
const LATEST = 0.5;
const SHAPE = "2x5";

/** A run without trouble, with which others are compared. */
interface Undisturbed {
  readonly values: Values;
  readonly seconds: number;
}

/** The undisturbed runs by shape, `slow` and `jobs`. */
const measured = new Map<string, Promise<Undisturbed>>();

/** Makes a kind of fault of a kind of trouble: a run must end as the kind says, and in time. */
export function faultOf(kind: TroubleKind): FaultKind {
  return {
    what: kind.what,
    times: 1,
    async prepare(options) {
      const shape = kind.shape ?? options.shape ?? SHAPE;
      const key = `${shape} ${options.slow} ${options.jobs}`;
      const expected = measured.get(key) ?? measure(shape, options);
      measured.set(key, expected);
      const undisturbed = await expected;
      return (run) => disturb(kind, shape, undisturbed, run);
    },
  };
}

/** Measures as many undisturbed runs at a time as there will be others, of which the slowest counts. */
async function measure(shape: string, { slow, jobs }: FaultOptions): Promise<Undisturbed> {
  const values = await valuesHere(shape);
  const solve = async () => {
    await using run = new ClusterRun({ shape, slow });
    await run.startRedis();
    const began = performance.now();
    for (const name of ["first", "second"]) run.worker(name);
    const { code, stderr } = await run.solve().ended;
    if (code !== 0) throw new Error(`the undisturbed run ended with ${code}: ${stderr}`);
    return (performance.now() - began) / 1000;
  };
  const seconds = Math.max(...(await Promise.all(Array.from({ length: jobs }, solve))));
  return { values, seconds };
}

/** Puts a run through trouble: early in the first run, and at random moments in others. */
async function disturb(
  kind: TroubleKind,
  shape: string,
  expected: Undisturbed,
  { options: { slow }, run: number, random }: FaultRun,
): Promise<FaultEnd> {
  const limit = TIMES * expected.seconds + kind.seconds;
  const delay = number === 1 ? undefined : 1000 * LATEST * random() * expected.seconds;
  const more = kind.isCluster ? ["--redis-cluster"] : [];
  await using run = new ClusterRun({ shape, delay, more, slow });
  const began = performance.now();
  const failures: string[] = [];
  let outcome = "hangs";
  try {
    if (!kind.isCluster) await run.startRedis();
    const ending = kind.inflict(run).then(async (end) => {
      const { code, signal } = await end.solve.ended;
      outcome = `exit ${code ?? signal}`;
      return end;
    });
    ending.catch(() => {}); // reported below, unless it comes too late
    const end = await atMost(1000 * limit, ending);
    if (end === undefined) {
      const last = describeLast(run.coordinators.at(-1), run.workerProcesses);
      failures.push(`not over after ${limit.toFixed(0)} s; ${last}`);
    } else {
      failures.push(...(await solveFaults(end, expected.values)));
      const left = end.workersFail ? 1000 * limit - (performance.now() - began) : LEAVE_MS;
      const patience = Math.round(Math.max(left, LEAVE_MS));
      failures.push(...(await workerFaults(run.workerProcesses, end, patience)));
      failures.push(...((await end.after?.()) ?? []));
      failures.push(...leftBehind(run.folder));
    }
  } catch (error) {
    failures.push((error as Error).message);
  }
  const all = [...run.workerProcesses, ...run.coordinators];
  failures.push(...logFaults(all.flatMap(({ stderr }) => logLines(stderr))));
  return { outcome, failures };
}
