import { setTimeout as sleep } from "node:timers/promises";
import type { Coordinator, CoordinatorOptions } from "@gridlock/cluster";
import { packNode, parseBoard, parseShape } from "@gridlock/game";
import { startRedis, tellRedis } from "./redis-server.js";
import { until } from "./until.js";

/** Milliseconds of a measurement: several beats, one a second each. */
const WINDOW_MS = 5000;

/** Waiting jobs of a measurement; a search never has more questions open than its workers have threads. */
export const WAITING = 1000;

const silent = { child: () => silent, debug() {}, info() {}, warn() {}, error() {} };

/** Opens a coordinator with jobs that nobody does. */
async function queueJobs(jobs: number, url: string): Promise<Coordinator> {
  const { Coordinator } = await import("@gridlock/cluster");
  const coordinator = await Coordinator.open({
    redis: { url, prefix: "gridlock", cluster: false },
    game: { shape: parseShape("2x6"), tiles: [2, 4] },
    check: false,
    judge: () => Promise.reject(new Error("nobody answers")),
    log: silent as unknown as CoordinatorOptions["log"],
  });
  const node = packNode(parseBoard("2 2 0 0 0 0/0 0 0 0 0 0"));
  for (let i = 1; i <= jobs; i++) void coordinator.ask({ ...node, threshold: 4 * i });
  return coordinator;
}

/** Redis's work for a coordinator, in milliseconds a second. */
export interface BeatCost {
  /** Processor time of Redis's main thread; at 1000 it does nothing else. */
  readonly total: number;
  /** Time of each command by the clock, longest first. That of a script includes the commands it calls. */
  readonly commands: readonly [name: string, ms: number][];
}

/** Measures Redis's work for a coordinator with a number of waiting jobs. */
export async function measureBeats(jobs: number): Promise<BeatCost> {
  await using redis = await startRedis();
  const { url } = redis;
  await using coordinator = await queueJobs(jobs, url);
  await until(`${jobs} jobs wait`, async () => {
    return Number(await tellRedis(url, "LLEN", "{gridlock}:questions:wait")) >= jobs;
  });
  await tellRedis(url, "CONFIG", "RESETSTAT");
  const before = await processorSeconds(url);
  await sleep(WINDOW_MS);
  const total = (1e6 * ((await processorSeconds(url)) - before)) / WINDOW_MS;
  const stats = `${await tellRedis(url, "INFO", "commandstats")}`;
  coordinator.stop();
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
