import { setTimeout as sleep } from "node:timers/promises";
import type { TaskCoordinatorOptions } from "@gridlock/cluster";
import { packNode, parseBoard, parseShape } from "@gridlock/game";
import type { Method } from "./cluster-run.js";
import { TemporaryFolder } from "./folder.js";
import { startRedis, tellRedis } from "./redis-server.js";
import { until } from "./until.js";

/** Milliseconds of a measurement: several beats, one a second each. */
const WINDOW_MS = 5000;

/** Numbers of waiting jobs; a search never has more questions open than its workers have threads. */
export const WAITING = { search: [1000], layers: [1000, 4000, 8000] } as const;

const silent = { child: () => silent, debug() {}, info() {}, warn() {}, error() {} };

/** A coordinator with jobs that nobody does. */
interface Busy extends AsyncDisposable {
  /** Makes the coordinator fail its jobs. */
  stop(): void;
}

async function queueJobs(method: Method, jobs: number, url: string, folder: string): Promise<Busy> {
  const { Coordinator, TaskCoordinator } = await import("@gridlock/cluster");
  const common = {
    redis: { url, prefix: "gridlock", cluster: false },
    game: { shape: parseShape("2x6"), tiles: [2, 4] },
    log: silent as unknown as TaskCoordinatorOptions["log"],
  } as const;
  if (method === "search") {
    const judge = () => Promise.reject(new Error("nobody answers"));
    const coordinator = await Coordinator.open({ ...common, check: false, judge });
    const node = packNode(parseBoard("2 2 0 0 0 0/0 0 0 0 0 0"));
    for (let i = 1; i <= jobs; i++) void coordinator.ask({ ...node, threshold: 4 * i });
    return coordinator;
  }
  const coordinator = await TaskCoordinator.open({ ...common, folder, bytes: 0 });
  const visits = Array.from({ length: jobs }, (_, i) => ({
    ...{ block: `${i}`, split: 1, step: 0, last: undefined, isNewRound: false, letters: [] },
  }));
  coordinator.visit(visits as never).catch(() => {}); // stopped below
  return {
    stop: () => coordinator.stop(new Error("measured")),
    [Symbol.asyncDispose]: () => coordinator[Symbol.asyncDispose](),
  };
}

/** Redis's work for a coordinator, in milliseconds a second. */
export interface BeatCost {
  /** Processor time of Redis's main thread; at 1000 it does nothing else. */
  readonly total: number;
  /** Time of each command by the clock, longest first. That of a script includes the commands it calls. */
  readonly commands: readonly [name: string, ms: number][];
}

/** Measures Redis's work for a coordinator with a number of waiting jobs. */
export async function measureBeats(method: Method, jobs: number): Promise<BeatCost> {
  using folder = new TemporaryFolder();
  await using redis = await startRedis();
  const { url } = redis;
  await using busy = await queueJobs(method, jobs, url, folder.path);
  const queue = method === "search" ? "questions" : "tasks";
  await until(`${jobs} jobs wait`, async () => {
    return Number(await tellRedis(url, "LLEN", `{gridlock}:${queue}:wait`)) >= jobs;
  });
  await tellRedis(url, "CONFIG", "RESETSTAT");
  const before = await processorSeconds(url);
  await sleep(WINDOW_MS);
  const total = (1e6 * ((await processorSeconds(url)) - before)) / WINDOW_MS;
  const stats = `${await tellRedis(url, "INFO", "commandstats")}`;
  busy.stop();
  const commands = [...stats.matchAll(/cmdstat_([^:]+):calls=\d+,usec=(\d+)/g)]
    .map(([, command, usec]): [string, number] => [`${command}`, Number(usec) / WINDOW_MS])
    .sort(([, a], [, b]) => b - a);
  return { total, commands };
}

async function processorSeconds(url: string): Promise<number> {
  const info = `${await tellRedis(url, "INFO", "cpu")}`;
  const times = [...info.matchAll(/used_cpu_(?:user|sys)_main_thread:([\d.]+)/g)];
  return times.reduce((sum, [, seconds]) => sum + Number(seconds), 0);
}
