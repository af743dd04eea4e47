import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ClusterStatus, StatusReader } from "@gridlock/cluster";
import { GRIDLOCK, type Hook, Process, type ProcessOptions } from "./command.js";
import { TemporaryFolder } from "./folder.js";
import { RedisNodes } from "./redis-nodes.js";
import { type RedisServer, type StartOptions, startRedis, tellRedis } from "./redis-server.js";
import { until } from "./until.js";

/** Options of a run on a cluster. */
export interface RunOptions {
  readonly shape: string;
  /** Least milliseconds for each question, in which a worker sleeps. Default: 0. */
  readonly slow?: number;
  /** Runs on a Redis Cluster. */
  readonly isCluster?: boolean | undefined;
}

/** Options of a worker of a run. */
export interface WorkerOptions {
  /** The URL of the server, if it is reached by another than the run's. */
  readonly url?: string | undefined;
  readonly slow?: number | undefined;
  readonly more?: readonly string[];
  /** A preloaded module that makes it misbehave: {@link ClusterRun.workerProcesses} omits it. */
  readonly hook?: Hook;
  /** Variables that hooks read. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A run over several processes that can be killed: a Redis server, workers, and a coordinator. */
export class ClusterRun implements AsyncDisposable {
  readonly #folder = new TemporaryFolder();
  readonly #options: RunOptions;
  readonly #processes: Process[] = [];
  /** All workers that were started, in order. */
  readonly workerProcesses: Process[] = [];
  /** All solves that were started, in order. */
  readonly coordinators: Process[] = [];
  #redis: RedisServer | undefined;
  #nodes: RedisNodes | undefined;
  #reader: StatusReader | undefined;
  #isOver = false;

  constructor(options: RunOptions) {
    this.#options = options;
  }

  /** The working folder of all processes. */
  get folder(): string {
    return this.#folder.path;
  }

  get redis(): RedisServer {
    if (this.#redis === undefined) throw new Error("startRedis comes first");
    return this.#redis;
  }

  get nodes(): RedisNodes {
    if (this.#nodes === undefined) throw new Error("startNodes comes first");
    return this.#nodes;
  }

  /** The solve that was started last. */
  get coordinator(): Process {
    const last = this.coordinators.at(-1);
    if (last === undefined) throw new Error("solve comes first");
    return last;
  }

  /** The commands that were started and have not ended. */
  get running(): Process[] {
    return this.#processes.filter((one) => one.isRunning);
  }

  /**
   * Starts the server, whose data survive a restart with `keep`, or a Redis Cluster of three nodes,
   * of which the commands are given the first.
   */
  async startRedis({
    keep = true,
    ...options
  }: { keep?: boolean } & Omit<StartOptions, "appendOnly"> = {}): Promise<RedisServer> {
    const folder = join(this.folder, "redis");
    if (this.#options.isCluster) this.#nodes = await RedisNodes.start(folder);
    this.#redis =
      this.#nodes?.nodes[0] ??
      (await startRedis({ ...options, appendOnly: keep ? folder : undefined }));
    return this.redis;
  }

  /** Sends a command to the server. */
  async tell(command: string, ...args: readonly string[]): Promise<unknown> {
    return await tellRedis(this.redis.url, command, ...args);
  }

  /** Starts the command; `env` adds to this process's environment. */
  start(
    args: readonly string[],
    { env, ...options }: Pick<ProcessOptions, "env" | "hook" | "slowed"> = {},
  ): Process {
    const all = { ...options, cwd: this.folder, env: { ...process.env, ...env } };
    const started = new Process(GRIDLOCK, args, all);
    this.#processes.push(started);
    return started;
  }

  /**
   * Starts a worker of one thread, with a separate database named after `name`, by default a new
   * name.
   *
   * @param options `slow` replaces that of the run; `more` has further options of the command
   */
  worker(
    name = `worker-${this.workerProcesses.length + 1}`,
    {
      url = this.redis.url,
      slow = this.#options.slow,
      more = [],
      hook,
      env = {},
    }: WorkerOptions = {},
  ): Process {
    const args = ["worker", "--redis", url, "--threads", "1", "--db", `${name}.db`];
    const worker = this.start([...args, ...this.#cluster, ...more], { hook, env, slowed: slow });
    if (!hook) this.workerProcesses.push(worker);
    return worker;
  }

  /** Starts the coordinator. */
  solve(url = this.redis.url): Process {
    const args = ["solve", this.#options.shape, "--redis", url, "--db", "solve.db", "--json"];
    const solve = this.start([...args, "--quiet", "--log-level", "info", ...this.#cluster]);
    this.coordinators.push(solve);
    return solve;
  }

  get #cluster(): readonly string[] {
    return this.#options.isCluster ? ["--redis-cluster"] : [];
  }

  /**
   * Reads the run's status from the server; the status is empty while the server cannot be reached.
   */
  async status(): Promise<Pick<ClusterStatus, "run" | "workers">> {
    if (this.#isOver) throw new Error("the run is over");
    if (this.#reader === undefined) {
      // BullMQ takes half a second to load, and most users of this package do not need it.
      const { StatusReader } = await import("@gridlock/cluster");
      this.#reader = new StatusReader({
        url: this.redis.url,
        prefix: "gridlock",
        cluster: this.#options.isCluster ?? false,
      });
    }
    return await this.#reader.read().catch(() => ({ run: undefined, workers: [] }));
  }

  /** Waits until a worker is searching, or the solve is over. */
  async working(): Promise<void> {
    await until(
      "a worker is searching, or the solve is over",
      async () => !this.coordinator.isRunning || (await this.atWork()).length > 0,
    );
  }

  /**
   * Returns the messages of workers that search for the solve that was started last, without those
   * of processes that were killed.
   */
  async atWork(): Promise<ClusterStatus["workers"]> {
    const { run, workers } = await this.status();
    if (run?.pid !== this.coordinator.child.pid) return [];
    return workers.filter(
      ({ state, pid, run: theirs }) =>
        state === "working" &&
        theirs === run?.run &&
        this.running.some(({ child }) => child.pid === pid),
    );
  }

  /** Waits until the run has a number of workers. */
  async workers(count: number): Promise<void> {
    await until(
      `there are ${count} workers`,
      async () => (await this.status()).workers.length === count,
    );
  }

  /** Waits until a number of further questions have been answered. */
  async progress(questions: number): Promise<void> {
    const asked = async () => (await this.status()).run?.questions ?? 0;
    const before = await asked();
    await until(
      `${questions} more questions are answered`,
      async () => (await asked()) >= before + questions,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    this.#reader?.[Symbol.dispose]();
    this.#reader = undefined;
    await Promise.all(this.#processes.map((one) => one[Symbol.asyncDispose]()));
    await this.#nodes?.[Symbol.asyncDispose]();
    await this.#redis?.stop("SIGKILL");
    this.#folder[Symbol.dispose]();
  }
}

/** Returns each start's board and value in a solve's JSON output, as text for comparison. */
export function valuesIn(stdout: string): string {
  const { starts } = JSON.parse(stdout) as { starts: { board: string; value: number }[] };
  return JSON.stringify(starts.map(({ board, value }) => [board, value]));
}

/** Returns the values in a file of `results/`: of `2x3`, or of `2x3-tiles-2`. */
export function publishedValues(name: string): string {
  return valuesIn(readFileSync(new URL(`../../../results/${name}.json`, import.meta.url), "utf8"));
}
