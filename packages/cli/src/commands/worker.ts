import { availableParallelism } from "node:os";
import { ClusterWorker, checkServer } from "@gridlock/cluster";
import { poolThreads } from "@gridlock/solver";
import { Command, Option } from "commander";
import { metricsFor, patience } from "../cluster-service.js";
import { EXIT, UsageError } from "../exit.js";
import { watchInterrupts } from "../interrupt.js";
import { redisOf, type ServiceFlags, withRedis, withService } from "../options/cluster.js";
import {
  fileOption,
  memoryOption,
  parseInteger,
  snapshotEffortOption,
  snapshotEveryOption,
  tableMemory,
} from "../options/options.js";
import { loggerOf } from "../output/logger.js";
import { VERSION } from "../version.js";

interface WorkerFlags extends ServiceFlags {
  readonly threads: number;
  readonly memory?: number;
  readonly db: string;
  readonly snapshotEvery: number;
  readonly snapshotEffort: number;
}

export function workerCommand(): Command {
  const command = new Command("worker").description(
    "work for a solve on other machines: gridlock solve … --redis",
  );
  withRedis(command, "the Redis server of the run, such as redis://:password@host:6379/0");
  return withService(command, "info")
    .addOption(
      new Option("--threads <n>", "threads that search, all with one table")
        .default(availableParallelism(), "one for each processor")
        .argParser((text) => parseInteger(text, 1, 256)),
    )
    .addOption(memoryOption("memory to take, nearly all for the table"))
    .addOption(
      fileOption("--db <file>", "where this worker keeps what it learns, with a snapshot beside it")
        .default("results/worker.db")
        .env("GRIDLOCK_DB"),
    )
    .addOption(snapshotEveryOption())
    .addOption(snapshotEffortOption())
    .addHelpText(
      "after",
      `
One worker a machine: it has all its threads on one table. It waits for a run, works on its questions, passes
on what it learns to the other workers and learns from them, and waits for the next run. Ctrl-C or SIGTERM has it
leave: its question goes back to the queue at once, what its table has learned is kept.

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
  using watch = watchInterrupts(
    "leaving after saving what was learned; Ctrl-C again stops at once",
  );
  await using worker = new ClusterWorker({
    redis,
    threads: flags.threads,
    memory: (game) => tableMemory(game, poolThreads(flags.threads), flags.memory),
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
