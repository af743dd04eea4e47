import { existsSync } from "node:fs";
import { describeGame, type Game, isExact } from "@gridlock/game";
import { LayeredProof, layersFolderOf, solveByLayers, splitOf, VisitCrew } from "@gridlock/layers";
import { counted, formatBytes, formatRough, formatSeconds } from "@gridlock/report";
import { estimate, LAYERS_PART, LoggedRun, openStarts, type StartBound } from "@gridlock/solver";
import type { Database } from "@gridlock/store";
import { UsageError } from "../exit.js";
import { waitingUntil, watchInterrupts } from "../interrupt.js";
import { freeSpace, runLabel } from "../machine.js";
import { layersMemory } from "../options/memory.js";
import { showWork } from "../output/display.js";
import { FIRST_SECONDS } from "../output/pace.js";
import { printError, tell } from "../output/print.js";
import { partOf } from "../output/standings.js";
import { type SolveFlags, type SolveResult, STOPPING } from "./solve-flags.js";
import { isSolved } from "./solve-here.js";

/**
 * Bytes of the files for each node that the shape is estimated to have. 2×6 and 3×4 end with files
 * of 4 to 5 bytes a node; while they are being made, old versions of blocks take as much again.
 */
const DISK_BYTES_PER_NODE = 12;
/**
 * Part of these bytes more for each doubling of the blocks by a hash: more of them then have bounds of
 * the same boards. On 2×5 a split into 2, 4, 8 and 32 takes 1.7, 2.4, 3.1 and 4.7 times the bytes.
 */
const MORE_PER_DOUBLING = 0.75;

/** Solves the open starts layer by layer with threads of this machine, until all are solved, the time is up or Ctrl-C. */
export async function solveByLayersHere(
  game: Game,
  database: Database,
  flags: SolveFlags,
): Promise<SolveResult> {
  const { workers, split, guess } = flags;
  const bytes = layersMemory(flags.memory, workers);
  const folder = layersFolderOf(flags.db, game);
  const known = openStarts(game, database);
  if (!flags.force) refuseTooSmallDisk(game, folder, split);
  using watch = watchInterrupts(STOPPING, flags.for);
  const { signal } = watch;
  const onDamage = (file: string) =>
    tell(flags, `${file} is missing or damaged; proving its contents again`);
  using proof = LayeredProof.open(game, folder, { split, onDamage });
  await using crew = new VisitCrew(game, proof, { threads: workers, bytes });
  const before = proof.status;
  const counts = () => ({ positions: 0, afterstates: proof.status.expanded - before.expanded });
  const options = { workers, memory: flags.memory ?? bytes, method: "layers" };
  using run = new LoggedRun(game, database, { counts }, runLabel(options));
  tell(
    flags,
    `${describeGame(game)}: ${known.length} starts, layer by layer, ${counted(workers, "thread")}, ${formatBytes(bytes)} of tables, ${folder}`,
  );
  if (before.round > 0) {
    tell(
      flags,
      `resuming after ${formatRough(before.expanded)} nodes and ${formatSeconds(before.seconds)}, in round ${before.round}`,
    );
  }
  const began = performance.now();
  let latest: readonly StartBound[] = known;
  const look = () => {
    const { live, expanded, round } = proof.status;
    const seconds = (performance.now() - began) / 1000;
    const rate = seconds < FIRST_SECONDS ? 0 : (expanded - before.expanded) / seconds;
    return {
      done: latest.filter(({ bound }) => isExact(bound)).length,
      total: latest.length,
      text: [`${formatRough(expanded)} nodes in round ${round}`, `${formatRough(live)} open`],
      ...partOf(game, expanded / LAYERS_PART, rate / LAYERS_PART),
    };
  };
  const shown = { signal, quiet: flags.quiet, before: before.seconds };
  using display = showWork(describeGame(game), "starts", look, shown);
  const state = await solveByLayers(game, database, proof, crew, {
    ...(guess === undefined ? {} : { guess }),
    signal,
    onWait: printError,
    onProgress: (starts) => {
      latest = starts;
    },
  });
  display.stop();
  const spent = await run.end(isSolved(state) ? "solved" : "stopped", waitingUntil(watch));
  return { state, spent, interrupted: watch.isInterrupted() };
}

/**
 * Refuses a disk that would be full before a proof by layers in a folder is complete.
 *
 * @param split the number of blocks into which a hash splits one (default: as the shape suggests)
 * @throws {UsageError} if the free space is less than the files are expected to take
 */
function refuseTooSmallDisk(game: Game, folder: string, split = splitOf(game.shape)): void {
  if (existsSync(folder)) return; // the disk has room for a part of it already
  const { bytes, place } = freeSpace(folder);
  const times = 1 + MORE_PER_DOUBLING * Math.log2(split);
  const needed = times * DISK_BYTES_PER_NODE * estimate(game.shape).nodes;
  if (needed > bytes) {
    throw new UsageError(
      `${describeGame(game)} layer by layer would take about ${formatBytes(needed)} of disk (an extrapolation), but only ${formatBytes(bytes)} is free in ${place}; free some space, or use --force`,
    );
  }
}
