import { availableParallelism } from "node:os";
import { ClusterWorker, checkServer } from "@gridlock/cluster";
import { poolThreads } from "@gridlock/solver";
import { Command, Option } from "commander";
import { metricsFor, patience } from "../cluster-service.js";
import { EXIT, UsageError } from "../exit.js";
import { watchInterrupts } from "../interrupt.js";
import {
  dataOption,
  redisOf,
  type ServiceFlags,
  withRedis,
  withService,
} from "../options/cluster.js";
import { layersMemory, tableMemory } from "../options/memory.js";
import {
  fileOption,
  memoryOption,
  snapshotEffortOption,
  snapshotEveryOption,
} from "../options/options.js";
import { parseInteger } from "../options/parse.js";
import { loggerOf } from "../output/logger.js";
import { VERSION } from "../version.js";

interface WorkerFlags extends ServiceFlags {
  readonly threads: number;
  readonly memory?: number;
  readonly db: string;
  readonly data?: string;
  readonly snapshotEvery: number;
  readonly snapshotEffort: number;
}

export function workerCommand(): Command {
  const command = new Command("worker").description(
    "search, or prove by layers, for a gridlock solve --redis on another machine",
  );
  withRedis(command, "Redis server of the run, e.g. redis://:password@host:6379/0");
  return withService(command, "info")
    .addOption(
      new Option("--threads <n>", "threads that search")
        .default(availableParallelism(), "one per processor")
        .argParser((text) => parseInteger(text, 1, 256)),
    )
    .addOption(
      memoryOption("memory of the process, most of it for tables", "by shape and free memory"),
    )
    .addOption(
      fileOption("--db <file>", "database of this worker, with a snapshot beside it")
        .default("results/worker.db")
        .env("GRIDLOCK_DB"),
    )
    .addOption(
      dataOption("for proofs by layers: the folder of the run, if it has another path here"),
    )
    .addOption(snapshotEveryOption())
    .addOption(snapshotEffortOption())
    .addHelpText(
      "after",
      `
Run one worker per machine: its threads share one table. It waits for a run, answers its questions, and
waits for the next run. In a proof by layers each thread does a task at a time, in a folder that all
machines reach. Ctrl-C or SIGTERM makes it leave: its question returns to the queue at once, its tasks
are finished, and its table is saved.

Examples:
  $ gridlock worker --redis redis://:secret@10.0.0.1:6379/0
  $ GRIDLOCK_REDIS=redis://127.0.0.1:6379 gridlock worker --threads 8 --memory 16G`,
    )
    .action(async (flags: WorkerFlags) => {
      process.exitCode = await runWorker(flags);
    });
}

async function runWorker({ redis: url, ...flags }: WorkerFlags): Promise<number> {
  if (url === undefined) {
    throw new UsageError("a worker needs a server; expected --redis URL or GRIDLOCK_REDIS");
  }
  const redis = redisOf({ ...flags, redis: url });
  const log = loggerOf(flags);
  await checkServer(redis, patience(log));
  using watch = watchInterrupts("leaving after saving the table; Ctrl-C again stops at once");
  await using worker = new ClusterWorker({
    redis,
    threads: flags.threads,
    memory: (game) => tableMemory(game, poolThreads(flags.threads), flags.memory),
    layersMemory: () => layersMemory(flags.memory, flags.threads),
    data: flags.data,
    databaseFile: flags.db,
    snapshotEvery: flags.snapshotEvery,
    snapshotEffort: flags.snapshotEffort,
    version: VERSION,
    log,
  });
  await using _metrics = await metricsFor(flags, worker);
  await worker.work(watch.signal);
  return EXIT.ok;
}
