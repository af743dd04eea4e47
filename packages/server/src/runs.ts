import type { ClusterStatus, StatusReader } from "@gridlock/cluster";
import {
  formatBoard,
  formatShape,
  isExact,
  mostPointsToCome,
  parseBoard,
  parseShape,
  parseTiles,
} from "@gridlock/game";
import type { RunState } from "@gridlock/schemas";
import { nodesBefore, secondsLeft, storedStarts } from "@gridlock/solver";
import { type Database, type Run, stateOfRun } from "@gridlock/store";
import { cachedFor } from "./cache.js";
import type { Settings } from "./options.js";

/** Milliseconds for which the state of all runs is kept. */
const CACHE_MS = 500;
/** Milliseconds for which a run that has ended is listed. */
const LISTED_MS = 10 * 60_000;
/** The beginning of the id of a run on a cluster; runs of the database have their number. */
const CLUSTER = "cluster-";

/** Nodes that a run had searched, and when. */
interface Sample {
  readonly nodes: number;
  readonly seconds: number;
}

/** Follows the solves that write to a database, and the run of a Redis server. */
export class RunWatch implements Disposable {
  /** Reads the run of the Redis server, if there is one. */
  readonly #cluster: StatusReader | undefined;
  readonly #database: Database;
  readonly #warn: Settings["warn"];
  readonly #samples = new Map<number, readonly [before: Sample, last: Sample]>();
  /** The last state of a run of the cluster, which says nothing once it has ended. */
  #lastOfCluster: RunState | undefined;
  /** Lists the runs that are under way, and then those that ended in the last minutes. */
  readonly list = cachedFor(CACHE_MS, () => this.#read());

  private constructor(
    { redis, warn }: Settings,
    database: Database,
    Reader: typeof StatusReader | undefined,
  ) {
    this.#database = database;
    this.#warn = warn;
    this.#cluster = redis && Reader && new Reader(redis);
  }

  /** Opens a connection to the Redis server, if the options name one. */
  static async open(options: Settings, database: Database): Promise<RunWatch> {
    // Loading it takes a tenth of a second.
    const cluster = options.redis && (await import("@gridlock/cluster"));
    return new RunWatch(options, database, cluster?.StatusReader);
  }

  async #read(): Promise<RunState[]> {
    const ofCluster = await this.#statesOfCluster();
    const now = Date.now();
    const database = this.#database;
    const ids = new Set(ofCluster.map(({ id }) => id));
    const logged = database.runs.all();
    const stored = logged
      // A coordinator whose database this is logs its run there too.
      .filter(({ options: { clusterRun } }) => !ids.has(`${CLUSTER}${clusterRun}`))
      .flatMap((run) => this.#stateOf(database, run, logged, now) ?? []);
    const states = [...ofCluster, ...stored];
    return [
      ...states.filter(({ state }) => state === "running"),
      ...states.filter(({ state }) => state !== "running"),
    ];
  }

  /**
   * Returns the state of a run of the database; `undefined` if it ended long ago.
   *
   * @param logged all runs, the latest first
   */
  #stateOf(
    database: Database,
    run: Run,
    logged: readonly Run[],
    now: number,
  ): RunState | undefined {
    const { id, game, started, seconds, question } = run;
    const { workers = 1 } = run.options;
    const outcome = stateOfRun(run, now);
    const isRunning = outcome === "running";
    if (!isRunning && now - (Date.parse(started) + 1000 * seconds) > LISTED_MS) {
      this.#samples.delete(id);
      return undefined;
    }
    const starts = storedStarts(game, database);
    const rate = isRunning ? this.#rateOf(run) : 0;
    const nodes = run.positions + run.afterstates;
    const before = nodesBefore(run, logged.slice(logged.indexOf(run) + 1));
    return {
      id: String(id),
      shape: formatShape(game.shape),
      tiles: [...game.tiles],
      state: isRunning ? "running" : outcome === "solved" ? "done" : "stopped",
      starts: starts.length,
      solved: starts.filter(({ bound }) => isExact(bound)).length,
      // A process that is busy records its cost late.
      seconds: isRunning ? Math.max(seconds, (now - Date.parse(started)) / 1000) : seconds,
      nodes,
      nodesPerSecond: rate,
      secondsLeft: secondsLeft(game.shape, before + nodes, rate) ?? null,
      question:
        isRunning && question
          ? { board: formatBoard(question.board), threshold: question.threshold }
          : null,
      windows: starts.map(({ board, bound }) => ({ board: formatBoard(board), ...bound })),
      workers: isRunning ? [{ name: run.machine, threads: Number(workers) }] : [],
    };
  }

  /** Returns the nodes a second between the last two records of a run. */
  #rateOf({ id, positions, afterstates, seconds }: Run): number {
    const now = { nodes: positions + afterstates, seconds };
    let [before, last] = this.#samples.get(id) ?? [{ nodes: 0, seconds: 0 }, now];
    if (now.seconds > last.seconds) [before, last] = [last, now];
    this.#samples.set(id, [before, last]);
    return (last.nodes - before.nodes) / Math.max(last.seconds - before.seconds, 0.001);
  }

  async #statesOfCluster(): Promise<RunState[]> {
    if (this.#cluster === undefined) return [];
    let status: ClusterStatus;
    try {
      status = await this.#cluster.read();
    } catch (error) {
      const { isOutage } = await import("@gridlock/cluster");
      if (isOutage(error)) return this.#lastOfCluster ? [this.#lastOfCluster] : [];
      this.#warn(`the run of the Redis server cannot be shown: ${(error as Error).message}`);
      return [];
    }
    const now = clusterState(status);
    const before = this.#lastOfCluster;
    const ended = before && before.id !== now?.id ? endOf(before) : undefined;
    this.#lastOfCluster = now ?? ended;
    return [now, ended].filter((state) => state !== undefined);
  }

  [Symbol.dispose](): void {
    this.#cluster?.[Symbol.dispose]();
  }
}

function clusterState({ run, workers }: ClusterStatus): RunState | undefined {
  if (run === undefined) return undefined;
  const { question, counts } = run;
  const nodes = counts.positions + counts.afterstates;
  const seconds = Math.max(0, (Date.now() - Date.parse(run.began)) / 1000);
  const windows = run.starts.map(({ board, bound: { lo, hi } }) => ({
    board,
    lo,
    hi: hi ?? mostPointsToCome(parseBoard(board).board),
  }));
  const own = workers.filter((worker) => worker.run === run.run);
  const rate = own.reduce((sum, { nodesPerSecond }) => sum + nodesPerSecond, 0);
  return {
    id: `${CLUSTER}${run.run}`,
    shape: run.shape,
    tiles: [...parseTiles(run.tiles)],
    state: "running",
    starts: windows.length,
    solved: windows.filter(({ lo, hi }) => lo === hi).length,
    seconds,
    nodes,
    nodesPerSecond: rate,
    secondsLeft: secondsLeft(parseShape(run.shape), (run.before ?? 0) + nodes, rate) ?? null,
    question: question && { board: question.board, threshold: question.threshold },
    windows,
    workers: own.map(({ worker, threads }) => ({ name: worker, threads })),
  };
}

/** Returns the state of a run whose coordinator is gone. */
function endOf(run: RunState): RunState {
  const state = run.solved === run.starts && run.starts > 0 ? "done" : "stopped";
  return { ...run, state, nodesPerSecond: 0, secondsLeft: null, question: null, workers: [] };
}
