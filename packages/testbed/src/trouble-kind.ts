import type { ClusterRun } from "./cluster-run.js";
import type { Process } from "./command.js";

/** How a run in trouble must end. */
export interface Ending {
  readonly solve: Process;
  /** The exit code of a solve that is stopped before it has all values. */
  readonly stopsWith?: number;
  /** The reason that the solve gives when it exits with 1. Default: it exits with 0 and has the right values. */
  readonly fails?: RegExp;
  /** The same for all workers. Default: they work until SIGTERM, and exit with 0. */
  readonly workersFail?: RegExp;
  /** Checks that follow when all commands have ended; returns faults, as sentences. */
  readonly after?: () => Promise<readonly string[]>;
}

/** A kind of trouble. */
export interface TroubleKind {
  /** What happens. */
  readonly what: string;
  /** Seconds that it lasts. */
  readonly seconds: number;
  /** Default: the shape that was asked for. */
  readonly shape?: string;
  /** Runs on a Redis Cluster. */
  readonly isCluster?: boolean;
  /** Inflicts the trouble on a run whose server runs, except on a Redis Cluster. */
  inflict(run: ClusterRun): Promise<Ending>;
}

/**
 * Starts two workers and a solve, and waits until the run is under way.
 *
 * @param slow least milliseconds of each question, instead of the run's
 */
export async function begin(run: ClusterRun, url = run.redis.url, slow?: number) {
  const options = slow === undefined ? { url } : { url, slow };
  const workers = [run.worker("first", options), run.worker("second", options)];
  const solve = run.solve(url);
  await run.underWay();
  return { workers, solve };
}

/** Makes a kind that disturbs a run of two workers and a solve, from the moment when it is under way. */
export function during(
  what: string,
  seconds: number,
  disturb: (
    run: ClusterRun,
    begun: Awaited<ReturnType<typeof begin>>,
  ) => Promise<Omit<Ending, "solve">>,
): TroubleKind {
  const inflict = async (run: ClusterRun) => {
    const begun = await begin(run);
    return { solve: begun.solve, ...(await disturb(run, begun)) };
  };
  return { what, seconds, inflict };
}
