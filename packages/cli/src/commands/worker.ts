import { ClusterWorker } from "@gridlock/cluster";
import { formatBytes } from "@gridlock/report";
import { poolThreads } from "@gridlock/solver";
import { Command, Option } from "commander";
import { metricsFor, openService } from "../cluster-service.js";
import { UsageError } from "../exit.js";
import { watchInterrupts } from "../interrupt.js";
import { redisOf, type ServiceFlags, withRedis, withService } from "../options/cluster.js";
import { tableMemory } from "../options/memory.js";
import {
  expectFile,
  memoryOption,
  snapshotEveryOption,
  threadsOption,
} from "../options/options.js";
import { parseSize } from "../options/parse.js";
import { databaseOption } from "../options/paths.js";
import { VERSION } from "../version.js";

/** A thread proves some 10 MB of bounds a second; a Redis server can carry some hundreds. */
const SHARE_RATE_TEXT = "32M";
const SHARE_RATE = parseSize(SHARE_RATE_TEXT);

/**
 * Seconds between two snapshots: the other workers have most of what is lost in between, and
 * writing every second takes a twentieth of a processor.
 */
const WORKER_SNAPSHOT_EVERY = 60;

interface WorkerFlags extends ServiceFlags {
  readonly threads: number;
  readonly memory?: number;
  readonly db: string;
  readonly snapshotEvery: number;
  readonly shareRate: number;
  readonly once?: true;
}

/** Makes the command `gridlock worker`. */
export function workerCommand(): Command {
  const command = new Command("worker").description(
    "work for a gridlock solve --redis that runs on another machine",
  );
  withRedis(command, "Redis server of the run, e.g. redis://10.0.0.1:6379/0");
  return withService(command, "info")
    .addOption(threadsOption("--threads <n>", "threads that search"))
    .addOption(
      memoryOption("memory of the process, most of it for its table", "by shape and free memory"),
    )
    .addOption(
      databaseOption("--db <file>", "database of this worker, with snapshots beside it").default(
        "results/worker.db",
      ),
    )
    .addOption(snapshotEveryOption(WORKER_SNAPSHOT_EVERY))
    .addOption(
      new Option(
        "--share-rate <size>",
        "most bytes of bounds a second to pass on to other workers, the costliest first",
      )
        .default(SHARE_RATE, SHARE_RATE_TEXT)
        .env("GRIDLOCK_SHARE_RATE")
        .argParser(parseSize),
    )
    .option("--once", "end when the run is over, as a job of a batch system should")
    .addHelpText(
      "after",
      `
Run one worker on each machine: its threads share one table. It waits for a run, searches the subtrees that it is
given, shares bounds with the other workers, and waits for the next run. It believes their bounds: whoever can
write to this Redis server is trusted. With --once it ends when there has been no run for 10 s after the first.
At Ctrl-C or SIGTERM the worker saves its table and ends. docs/deployment.md describes what a
worker needs, and how to run it under systemd and Slurm.

Examples:
  $ gridlock worker --redis redis://10.0.0.1:6379/0 --redis-password-file redis-password
  $ GRIDLOCK_REDIS=redis://127.0.0.1:6379 gridlock worker --threads 8 --memory 16G`,
    )
    .action(runWorker);
}

async function runWorker(flags: WorkerFlags): Promise<void> {
  const { threads, snapshotEvery, shareRate, db } = flags;
  const redis = redisOf(flags);
  if (redis === undefined) {
    throw new UsageError("a worker needs a Redis server; give --redis URL or set GRIDLOCK_REDIS");
  }
  expectFile(db, "a worker");
  const memory =
    flags.memory === undefined ? "by shape and free memory" : formatBytes(flags.memory);
  const log = await openService(redis, flags, { threads, memory, db });
  using watch = watchInterrupts("leaving after saving the table; Ctrl-C again stops at once");
  await using worker = new ClusterWorker({
    redis,
    threads,
    snapshotEvery,
    shareRate,
    version: VERSION,
    log,
    once: flags.once === true,
    memory: (game) => tableMemory(game, poolThreads(threads, true), flags.memory),
    databaseFile: db,
  });
  await using _metrics = await metricsFor(flags, worker);
  await worker.work(watch.signal);
}
