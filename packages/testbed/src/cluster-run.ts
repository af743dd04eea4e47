import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClusterStatus, StatusReader } from "@gridlock/cluster";
import { formatBoard, type Game, parseShape, type Tiles } from "@gridlock/game";
import { defaultMemory, LocalPool, poolThreads, solve } from "@gridlock/solver";
import { Database } from "@gridlock/store";
import { GRIDLOCK, hookOf, Process, type ProcessOptions } from "./command.js";
import { CuttablePort } from "./cuttable-port.js";
import { TemporaryFolder } from "./folder.js";
import { RedisNodes } from "./redis-nodes.js";
import { type RedisServer, type StartOptions, startRedis, tellRedis } from "./redis-server.js";
import { PATIENCE_MS, until } from "./until.js";

/** A module to preload into a worker, and the variables that it reads. */
export interface Hook {
  readonly name: "kill-thread" | "other-build" | "trap";
  readonly env?: Readonly<Record<string, string>>;
}

/** Options of a run on a cluster. */
export interface RunOptions {
  readonly shape: string;
  /** Least milliseconds for each question, in which a worker sleeps. Default: 0. */
  readonly slow?: number;
  /** Memory for each worker's table, for example 2G. Default: the command's. */
  readonly memory?: string | undefined;
  /** Milliseconds of searching after which a run is under way. Default: until three questions are answered. */
  readonly delay?: number | undefined;
  /** Options of all commands, such as --redis-cluster. */
  readonly more?: readonly string[] | undefined;
}

/** Options of a worker of a run. */
export interface WorkerOptions {
  /** The URL of the server, if it is reached by another than the run's. */
  readonly url?: string;
  readonly slow?: number | undefined;
  /** What it does with subtrees instead of searching them; see `slow-hook.ts`. */
  readonly subtrees?: "never" | "spent";
  readonly more?: readonly string[];
  /** Makes it misbehave: {@link ClusterRun.workerProcesses} does not include it. */
  readonly hook?: Hook;
}

/** A run over several processes that can be killed: a Redis server, workers, and a coordinator. */
export class ClusterRun implements AsyncDisposable {
  readonly #folder = new TemporaryFolder();
  readonly #options: RunOptions;
  readonly #processes = new Set<Process>();
  /** All workers that were started, in order. */
  readonly workerProcesses: Process[] = [];
  /** All solves that were started, in order. */
  readonly coordinators: Process[] = [];
  readonly #owned: (Disposable | AsyncDisposable)[] = [];
  #redis: RedisServer | undefined;
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

  /** Starts the server; with `keep`, its data survive a restart. */
  async startRedis({
    keep = true,
    ...options
  }: { keep?: boolean } & Omit<StartOptions, "appendOnly"> = {}): Promise<RedisServer> {
    const folder = join(this.folder, "redis");
    this.#redis = await startRedis({ ...options, appendOnly: keep ? folder : undefined });
    return this.#redis;
  }

  /** Starts a Redis Cluster of three nodes; the commands are given the first. */
  async startNodes(): Promise<RedisNodes> {
    const nodes = this.own(await RedisNodes.start(join(this.folder, "redis")));
    this.#redis = nodes.nodes[0];
    return nodes;
  }

  /** Disposes of a resource at the end of the run. */
  own<T extends Disposable | AsyncDisposable>(resource: T): T {
    this.#owned.push(resource);
    return resource;
  }

  /** Opens a proxy to the server whose connections can be cut. */
  async proxy(): Promise<CuttablePort> {
    return this.own(await CuttablePort.open(this.redis.port));
  }

  /** Sends a command to the server. */
  async tell(command: string, ...args: readonly string[]): Promise<unknown> {
    return await tellRedis(this.redis.url, command, ...args);
  }

  /**
   * Starts the command; `node` has options of Node itself, and `env` adds to this process's
   * environment.
   */
  start(
    args: readonly string[],
    { node = [], env, slowed }: Omit<ProcessOptions, "cwd"> = {},
  ): Process {
    const started = new Process(GRIDLOCK, args, {
      cwd: this.folder,
      env: { ...process.env, ...env },
      node,
      slowed,
    });
    this.#processes.add(started);
    return started;
  }

  /**
   * Starts a worker of one thread, with a separate database named after `name`.
   *
   * @param options `slow` replaces that of the run; `more` has further options of the command
   */
  worker(
    name: string,
    {
      url = this.redis.url,
      slow = this.#options.slow,
      subtrees,
      more = [],
      hook,
    }: WorkerOptions = {},
  ): Process {
    const { memory } = this.#options;
    const args = [
      ...["worker", "--redis", url, "--threads", "1", "--db", `${name}.db`],
      ...(memory === undefined ? [] : ["--memory", memory]),
      ...(this.#options.more ?? []),
      ...more,
    ];
    const worker = this.start(args, {
      ...(hook && { node: ["--import", hookOf(hook.name)], env: hook.env }),
      ...(subtrees && { env: { SUBTREES: subtrees } }),
      slowed: subtrees ? (slow ?? 0) : slow,
    });
    if (!hook) this.workerProcesses.push(worker);
    return worker;
  }

  /** Starts the coordinator, with the run's options and `further` ones. */
  solve(url = this.redis.url, further: readonly string[] = []): Process {
    const { shape, more = [] } = this.#options;
    const solve = this.start([
      ...["solve", shape, "--redis", url, "--db", "solve.db", "--json", "--quiet"],
      ...["--log-level", "info", ...more, ...further],
    ]);
    this.coordinators.push(solve);
    return solve;
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
        cluster: this.#options.more?.includes("--redis-cluster") ?? false,
      });
    }
    return await this.#reader.read().catch(() => ({ run: undefined, workers: [] }));
  }

  /** Waits until a worker is searching; returns its message. */
  async working(): Promise<ClusterStatus["workers"][number]> {
    return await until("a worker is searching", async () => (await this.atWork())[0]);
  }

  /**
   * Waits until a worker is searching or the solve has ended; returns whether the solve is still
   * running.
   */
  async workingOrOver(solve: Process): Promise<boolean> {
    await until(
      "a worker is searching",
      async () => !solve.isRunning || (await this.atWork()).length > 0,
    );
    return solve.isRunning;
  }

  /** Returns the messages of workers that search, without those of processes that were killed. */
  async atWork(): Promise<ClusterStatus["workers"][number][]> {
    const running = [...this.#processes].filter((one) => one.isRunning);
    return (await this.status()).workers.filter(
      ({ state, pid }) => state === "working" && running.some(({ child }) => child.pid === pid),
    );
  }

  /** Waits until the run has a number of workers. */
  async workers(count: number): Promise<void> {
    await until(
      `there are ${count} workers`,
      async () => (await this.status()).workers.length === count,
    );
  }

  /**
   * Waits until a run is under way: a worker has been searching for the run's delay or, without one,
   * three questions have been answered.
   *
   * @throws {Error} if the solve is over by then
   */
  async underWay(): Promise<void> {
    await this.working();
    if (this.#options.delay === undefined) await this.progress(3);
    else await sleep(this.#options.delay);
    if (!this.coordinators.at(-1)?.isRunning) throw new Error("the solve was over too early");
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
    await Promise.all([...this.#processes].map((one) => one[Symbol.asyncDispose]()));
    for (const one of this.#owned) {
      await (Symbol.dispose in one ? one[Symbol.dispose]() : one[Symbol.asyncDispose]());
    }
    await this.#redis?.stop("SIGKILL");
    this.#folder[Symbol.dispose]();
  }
}

/** Each start's board and value, as text for comparison. */
export type Values = string;

/**
 * Waits for the end of a solve that prints JSON, and returns its values; throws if it fails or
 * hangs.
 */
export async function valuesOf(solve: Process): Promise<Values> {
  const timer = setTimeout(() => void solve.kill(), PATIENCE_MS);
  const { code, signal, stdout, stderr } = await solve.ended;
  clearTimeout(timer);
  if (code !== 0) throw new Error(`the solve ended with ${code ?? signal}: ${stderr.slice(-2000)}`);
  return valuesIn(stdout);
}

/** Returns the values in a solve's JSON output. */
export function valuesIn(stdout: string): Values {
  const { starts } = JSON.parse(stdout) as { starts: { board: string; value: number }[] };
  return JSON.stringify(starts.map(({ board, value }) => [board, value]));
}

/** The values that {@link valuesHere} has found or is finding. */
const found = new Map<string, Promise<Values>>();

/** Returns the values of a shape that takes minutes, from the results of an earlier version. */
function publishedValues(shape: string): Values {
  return valuesIn(readFileSync(new URL(`../../../results/${shape}.json`, import.meta.url), "utf8"));
}

/** Solves a game in this process, once; returns the values. Those of 2×6 are read from a file. */
export function valuesHere(shape: string, tiles: Tiles = [2, 4]): Promise<Values> {
  if (shape === "2x6") return Promise.resolve(publishedValues(shape));
  const key = `${shape} ${tiles}`;
  const values = found.get(key) ?? solveHere({ shape: parseShape(shape), tiles });
  found.set(key, values);
  return values;
}

async function solveHere(game: Game): Promise<Values> {
  using folder = new TemporaryFolder();
  using database = Database.open(join(folder.path, "here.db"));
  const memory = defaultMemory(game, poolThreads(1), process.availableMemory());
  await using pool = new LocalPool(game, { workers: 1, memory });
  const starts = await solve(game, database, pool);
  return JSON.stringify(starts.map(({ board, bound }) => [formatBoard(board), bound.lo]));
}
