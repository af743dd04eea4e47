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

/** How a run begins: by default with two workers, over the URL of its server. */
interface Beginning {
  readonly alone?: boolean;
  /** The URLs of the server for the workers and for the solve. */
  readonly worker?: string;
  readonly solve?: string;
  /** Milliseconds that each question takes at least. */
  readonly slow?: number;
}

/** Starts workers and a solve, and waits until the run is under way. */
export async function begin(
  run: ClusterRun,
  { alone = false, worker: url = run.redis.url, solve: solveUrl, slow }: Beginning = {},
) {
  const options = slow === undefined ? { url } : { url, slow };
  const first = run.worker("first", options);
  const workers = alone ? [first] : [first, run.worker("second", options)];
  const solve = run.solve(solveUrl);
  await run.underWay();
  return { first, workers, solve };
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
