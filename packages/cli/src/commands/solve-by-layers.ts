import { describeGame, type Game, isExact } from "@gridlock/game";
import {
  LayeredProof,
  layersFolderOf,
  roundCheck,
  solveByLayers,
  VisitCrew,
} from "@gridlock/layers";
import { formatBytes } from "@gridlock/report";
import { LoggedRun, openStarts, type StartBound } from "@gridlock/solver";
import type { Database } from "@gridlock/store";
import { stopAfter, waitingUntil, watchInterrupts } from "../interrupt.js";
import { refuseTooSmallDisk } from "../layers-disk.js";
import { runLabel } from "../machine.js";
import { layersMemory } from "../options/memory.js";
import { tell } from "../output/display.js";
import { damageTeller, showLayers, tellResumed } from "../output/layers.js";
import { printError } from "../output/visible.js";
import type { LocalSolve } from "./solve-here.js";

/** Options of `gridlock solve --method layers`. */
export interface LayersFlags {
  readonly db: string;
  readonly workers: number;
  /** Bytes of the process, as given by the user. */
  readonly memory?: number;
  readonly guess?: number;
  /** The number of blocks into which a hash splits one. */
  readonly split?: number;
  /** Seconds after which the solve stops. */
  readonly for?: number;
  /** Solve even if the disk seems too small. */
  readonly force?: true;
  readonly quiet?: true;
}

/** Solves the open starts layer by layer with threads of this machine, until all are solved, the time is up or Ctrl-C. */
export async function solveByLayersHere(
  game: Game,
  database: Database,
  flags: LayersFlags,
): Promise<LocalSolve> {
  const { workers } = flags;
  const bytes = layersMemory(flags.memory, workers);
  const folder = layersFolderOf(flags.db, game);
  const known = openStarts(game, database);
  if (!flags.force) refuseTooSmallDisk(game, folder, flags.split);
  using watch = watchInterrupts("stopping after saving what is proven; Ctrl-C again stops at once");
  using stop = stopAfter(flags.for, watch.signal);
  using proof = LayeredProof.open(game, folder, {
    ...{ split: flags.split, onDamage: damageTeller(flags) },
  });
  await using crew = new VisitCrew(game, proof, { threads: workers, bytes });
  const before = proof.status;
  const counts = () => ({ positions: 0, afterstates: proof.status.expanded - before.expanded });
  const options = { workers, memory: flags.memory ?? bytes, method: "layers" };
  using run = new LoggedRun(game, database, { counts }, runLabel(options));
  const threads = `${workers} thread${workers === 1 ? "" : "s"}`;
  tell(
    flags,
    `${describeGame(game)}: ${known.length} starts, layer by layer, ${threads}, ${formatBytes(bytes)} of tables, ${folder}`,
  );
  tellResumed(flags, before);
  let latest: readonly StartBound[] = known;
  using display = flags.quiet
    ? undefined
    : showLayers({ game, proof, starts: () => latest }, stop.signal);
  const state = await solveByLayers(game, database, proof, crew, {
    ...(flags.guess === undefined ? {} : { guess: flags.guess }),
    signal: stop.signal,
    onWait: printError,
    repair: roundCheck({ game, folder, threads: workers, bytes, signal: stop.signal }),
    onProgress: (starts) => {
      latest = starts;
    },
  });
  display?.stop();
  const isSolved = state.every(({ bound }) => isExact(bound));
  const spent = await run.end(isSolved ? "solved" : "stopped", waitingUntil(stop));
  if (!isSolved) tell(flags, "saved all proven bounds; run the same command to resume");
  return { state, spent, interrupted: watch.signal.aborted };
}
