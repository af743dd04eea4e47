import { checkServer, TaskCoordinator } from "@gridlock/cluster";
import { describeGame, type Game, isExact } from "@gridlock/game";
import { type CheckBlocks, LayeredProof, layersFolder, solveByLayers } from "@gridlock/layers";
import { openStarts, type StartBound } from "@gridlock/solver";
import type { Database } from "@gridlock/store";
import { metricsFor, patience } from "../cluster-service.js";
import { stopAfter, waitingUntil, watchInterrupts } from "../interrupt.js";
import { refuseTooSmallDisk } from "../layers-disk.js";
import { LoggedRun } from "../logged-run.js";
import { redisOf, type ServiceFlags } from "../options/cluster.js";
import { layersMemory } from "../options/memory.js";
import { tell } from "../output/display.js";
import { damageTeller, recorderFor, showLayers, tellResumed } from "../output/layers.js";
import { loggerOf } from "../output/logger.js";
import type { ClusterSolve } from "./solve-on-cluster.js";

export interface ClusterLayersFlags extends ServiceFlags {
  readonly redis: string;
  readonly db: string;
  /** The folder that all machines reach. */
  readonly data: string;
  readonly guess?: number;
  /** The number of blocks into which a hash splits one. */
  readonly split?: number;
  /** Seconds after which the solve stops. */
  readonly for?: number;
  /** Store nothing before two workers have checked all blocks by the rules. */
  readonly check?: true;
  /** Bytes of the process, as given by the user. */
  readonly memory?: number;
  /** Solve even if the disk seems too small. */
  readonly force?: true;
  /** Name of the file for a record of the run. */
  readonly record?: string;
  readonly quiet?: true;
}

/** The reason why the tasks under way were given up at Ctrl-C. */
class Stopped extends Error {}

/** Solves the open starts layer by layer with the workers of a Redis server, until all are solved or Ctrl-C. */
export async function solveByLayersOnCluster(
  game: Game,
  database: Database,
  flags: ClusterLayersFlags,
): Promise<ClusterSolve> {
  const { guess, prefix } = flags;
  const check = flags.check === true;
  const log = loggerOf(flags);
  const folder = layersFolder(game, flags);
  if (!flags.force) refuseTooSmallDisk(game, folder, flags.split);
  const redis = redisOf(flags);
  await checkServer(redis, patience(log));
  const bytes = layersMemory(flags.memory, 1); // for the visits that decide between workers
  using proof = LayeredProof.open(game, folder, {
    ...{ split: flags.split, onDamage: damageTeller(flags) },
  });
  await using coordinator = await TaskCoordinator.open({ redis, game, folder, bytes, log });
  using recorder = recorderFor(game, coordinator, flags);
  await using _metrics = await metricsFor(flags, coordinator);
  using watch = watchInterrupts("stopping after saving what is proven; Ctrl-C again stops at once");
  using stop = stopAfter(flags.for, watch.signal);
  const { signal } = stop;
  const waiting = waitingUntil(stop);
  signal.addEventListener("abort", () => coordinator.stop(new Stopped()));
  const checkBlocks: CheckBlocks = (blocks) => coordinator.check(blocks);
  let latest: readonly StartBound[] = openStarts(game, database);
  const before = proof.status;
  coordinator.progress(latest, before, before.expanded);
  using run = new LoggedRun(game, database, coordinator, { method: "layers", check });
  tell(
    flags,
    `${describeGame(game)}: ${latest.length} starts, layer by layer, workers at ${prefix} on Redis, ${folder}`,
  );
  tellResumed(flags, before);
  using display = flags.quiet
    ? undefined
    : showLayers({ game, proof, starts: () => latest }, signal);
  try {
    latest = await solveByLayers(game, database, proof, recorder ?? coordinator, {
      ...(guess === undefined ? {} : { guess }),
      ...(check ? { check: checkBlocks } : { repair: checkBlocks }),
      signal,
      onWait: waiting.onWait,
      onProgress: (starts, status) => {
        latest = starts;
        coordinator.progress(starts, status, before.expanded);
      },
    });
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  }
  display?.stop();
  const outcome = latest.every(({ bound }) => isExact(bound)) ? "solved" : "stopped";
  const spent = await run.end(outcome, waiting);
  return { state: latest, spent, interrupted: watch.signal.aborted };
}
