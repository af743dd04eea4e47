import { seededRandom } from "@gridlock/game";
import { ClusterRun, type Values, valuesHere } from "./cluster-run.js";
import { atMost, describeLast, leftBehind, solveFaults, workerFaults } from "./ending-faults.js";
import { logFaults, logLines } from "./log-faults.js";
import type { TroubleKind } from "./trouble-kind.js";
import { TROUBLE } from "./trouble-kinds.js";

/** Options of a series of runs in trouble. */
export interface TroubleOptions {
  readonly shape: string;
  /** Names of kinds. */
  readonly kinds: readonly string[];
  /** Number of runs of each kind: the first is disturbed early, others at random moments. */
  readonly runs: number;
  readonly seed: number;
  /** Number of runs at a time. */
  readonly jobs: number;
  /** Least milliseconds of each question of a search. */
  readonly slow: number;
}

/** The outcome of a run in trouble. */
export interface TroubleReport {
  readonly kind: string;
  readonly run: number;
  readonly seconds: number;
  /** Most seconds that it may take. */
  readonly limit: number;
  readonly lines: number;
  /** Sentences; none if all is right. */
  readonly faults: readonly string[];
}

/** Milliseconds within which a worker must end after SIGTERM. */
const LEAVE_MS = 10_000;
/** Times the undisturbed run that a run may take, besides the length of its trouble. */
const TIMES = 3;
/** The part of the undisturbed run within which later runs are disturbed. */
const LATEST = 0.5;

/** Puts runs through trouble; see `TROUBLE`. Dispose of it to stop all processes. */
export class Troublemaker implements AsyncDisposable {
  readonly #options: TroubleOptions;
  /** The runs without trouble with which the others are compared, by their shapes. */
  readonly #undisturbed = new Map<string, Promise<{ values: Values; seconds: number }>>();
  readonly #live = new Set<ClusterRun>();
  #isOver = false;

  constructor(options: TroubleOptions) {
    this.#options = options;
  }

  /** Puts runs through all kinds of trouble that were asked for; `tell` receives each report. */
  async run(tell: (report: TroubleReport) => void): Promise<TroubleReport[]> {
    const { kinds, runs, seed, jobs } = this.#options;
    const random = seededRandom(seed);
    // Kinds take turns, so that a series that is cut short has runs of all.
    const planned = Array.from({ length: runs }, (_, i) =>
      kinds.map((kind) => ({ kind, run: i + 1, at: random() })),
    ).flat();
    const reports: TroubleReport[] = [];
    const work = async () => {
      for (let next = planned.shift(); next !== undefined; next = planned.shift()) {
        const report = await this.#disturb(next);
        if (this.#isOver) return;
        reports.push(report);
        tell(report);
      }
    };
    await Promise.all(Array.from({ length: jobs }, work));
    return reports;
  }

  /** Measures runs without trouble, once: as many at a time as others later, of which the slowest counts. */
  #measured(shape: string) {
    const known = this.#undisturbed.get(shape) ?? this.#slowest(shape);
    this.#undisturbed.set(shape, known);
    return known;
  }

  async #slowest(shape: string) {
    const jobs = Array.from({ length: this.#options.jobs }, () => this.#measure(shape));
    const all = await Promise.all(jobs);
    return all.reduce((slowest, one) => (one.seconds > slowest.seconds ? one : slowest));
  }

  async #measure(shape: string) {
    const values = await valuesHere(shape);
    await using run = this.#open(shape);
    await run.startRedis();
    const began = performance.now();
    for (const name of ["first", "second"]) run.worker(name);
    const { code, stderr } = await run.solve().ended;
    if (code !== 0) throw new Error(`the undisturbed run ended with ${code}: ${stderr}`);
    return { values, seconds: (performance.now() - began) / 1000 };
  }

  #open(shape: string, delay?: number, isCluster = false): ClusterRun {
    const { slow } = this.#options;
    const more = isCluster ? ["--redis-cluster"] : [];
    const run = new ClusterRun({ shape, delay, more, slow });
    this.#live.add(run);
    return run;
  }

  async #disturb(planned: { kind: string; run: number; at: number }): Promise<TroubleReport> {
    const kind = TROUBLE[planned.kind] as TroubleKind;
    const shape = kind.shape ?? this.#options.shape;
    const expected = await this.#measured(shape);
    const limit = TIMES * expected.seconds + kind.seconds;
    const delay = planned.run === 1 ? undefined : 1000 * LATEST * planned.at * expected.seconds;
    const run = this.#open(shape, delay, kind.isCluster);
    const began = performance.now();
    const seconds = () => (performance.now() - began) / 1000;
    const faults: string[] = [];
    let took: number | undefined;
    try {
      if (!kind.isCluster) await run.startRedis();
      const ending = kind.inflict(run);
      ending.catch(() => {}); // reported below, unless it comes too late
      const inTime = async () => {
        const ended = await ending;
        await ended.solve.ended;
        return ended;
      };
      const end = await atMost(1000 * limit, inTime());
      took = seconds();
      if (end === undefined) {
        const last = describeLast(run.coordinators.at(-1), run.workerProcesses);
        faults.push(`not over after ${limit.toFixed(0)} s; ${last}`);
      } else {
        faults.push(...(await solveFaults(end, expected.values)));
        const left = end.workersFail ? 1000 * limit - 1000 * took : LEAVE_MS;
        faults.push(
          ...(await workerFaults(run.workerProcesses, end, Math.round(Math.max(left, LEAVE_MS)))),
        );
        faults.push(...((await end.after?.()) ?? []));
        faults.push(...leftBehind(run.folder));
      }
    } catch (error) {
      faults.push((error as Error).message);
    }
    const lines = [...run.workerProcesses, ...run.coordinators].flatMap((one) =>
      logLines(one.stderr),
    );
    faults.push(...logFaults(lines));
    await this.#close(run);
    return {
      ...{ kind: planned.kind, run: planned.run },
      ...{ seconds: took ?? seconds(), limit, lines: lines.length, faults },
    };
  }

  async #close(run: ClusterRun): Promise<void> {
    this.#live.delete(run);
    await run[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await Promise.all([...this.#live].map((run) => this.#close(run)));
  }
}
