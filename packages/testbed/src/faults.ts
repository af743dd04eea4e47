import { setTimeout as sleep } from "node:timers/promises";
import { ClusterRun, type RunOptions, type Values, valuesOf } from "./cluster-run.js";
import type { Process } from "./command.js";

/** Options of a run with a fault. */
export interface FaultOptions extends RunOptions {
  /** Milliseconds for which a process is stopped or a connection is cut. */
  readonly pause: number;
  /** The values that the run must find. */
  readonly values: Values;
}

/** Inflicts a fault on a run with a running server; returns the solve that must finish. */
type Fault = (run: ClusterRun, pause: number) => Promise<Process>;

async function restartRedis(run: ClusterRun, keep: boolean): Promise<Process> {
  run.worker("first");
  run.worker("second");
  const solve = run.solve();
  await run.underWay();
  const { port } = run.redis;
  await run.redis.stop("SIGKILL");
  await sleep(2000);
  await run.startRedis({ port, keep });
  return solve;
}

/** Milliseconds within which a run goes on without a worker: long before that counts as gone. */
const AT_ONCE_MS = 8000;
/** Milliseconds within which a worker must end that leaves. */
const LEAVE_MS = 10_000;

/** Faults that a run over several processes must survive. */
export const FAULTS = {
  async "worker-killed"(run) {
    const first = run.worker("first");
    const solve = run.solve();
    await run.underWay();
    run.worker("second");
    await run.workers(2);
    await first.kill();
    const answered = run.progress(2).then(() => true);
    const ended = solve.ended.then(() => true);
    const late = sleep(AT_ONCE_MS, false);
    if (!(await Promise.race([answered, ended, late]))) {
      throw new Error("the run waited for the worker that was killed");
    }
    return solve;
  },

  /** The worker wakes when it counts as gone. */
  async "worker-frozen"(run, pause) {
    const first = run.worker("first");
    const solve = run.solve();
    await run.underWay();
    run.worker("second");
    first.child.kill("SIGSTOP");
    await sleep(pause);
    first.child.kill("SIGCONT");
    return solve;
  },

  async "coordinator-killed"(run) {
    run.worker("first");
    const solve = run.solve();
    await run.underWay();
    await solve.kill();
    return run.solve();
  },

  "redis-killed": (run) => restartRedis(run, true),
  "redis-killed-with-loss": (run) => restartRedis(run, false),

  async "worker-cut-off"(run, pause) {
    const proxy = await run.proxy();
    run.worker("first", { url: proxy.url });
    const solve = run.solve();
    await run.underWay();
    run.worker("second");
    await proxy.cut(pause);
    return solve;
  },

  async "coordinator-cut-off"(run, pause) {
    const proxy = await run.proxy();
    run.worker("first");
    const solve = run.solve(proxy.url);
    await run.underWay();
    await proxy.cut(pause);
    return solve;
  },

  async "all-killed-three-times"(run) {
    for (let time = 0; time < 3; time++) {
      const solve = run.solve();
      const processes = [run.worker("first"), run.worker("second"), solve];
      // Saved work adds up, so a fast machine may be done before the last kill.
      if (!(await run.workingOrOver(solve)) && time > 0) return solve;
      await sleep(1500);
      const { port } = run.redis;
      const gone = [...processes.map((one) => one.kill()), run.redis.stop("SIGKILL")];
      await Promise.all(gone);
      await run.startRedis({ port });
    }
    run.worker("first");
    return run.solve();
  },

  async "worker-replaced"(run) {
    const first = run.worker("first");
    const solve = run.solve();
    await run.underWay();
    run.worker("second");
    await run.workers(2);
    first.child.kill("SIGTERM");
    const began = performance.now();
    const { code, stderr } = await first.ended;
    if (performance.now() - began > LEAVE_MS) throw new Error("the worker left too late");
    if (code !== 0) throw new Error(`the worker that left ended with ${code}: ${stderr}`);
    return solve;
  },
} as const satisfies Readonly<Record<string, Fault>>;

/**
 * Inflicts a fault of {@link FAULTS} on a run and waits for the run's end.
 *
 * @throws {Error} if the run fails, hangs or finds other values
 */
export async function endure(name: string, options: FaultOptions): Promise<void> {
  const fault: Fault | undefined = FAULTS[name as keyof typeof FAULTS];
  if (fault === undefined) throw new Error(`there is no fault called ${name}`);
  await using run = new ClusterRun(options);
  await run.startRedis();
  const solve = await fault(run, options.pause);
  const values = await valuesOf(solve);
  if (values !== options.values) throw new Error(`other values: ${values}`);
}
