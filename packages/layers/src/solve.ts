import {
  type Bound,
  canonical,
  formatBoard,
  type Game,
  isExact,
  mergeBounds,
  mostPointsToCome,
  normalShape,
  packNode,
} from "@gridlock/game";
import { guessAmong, nextThreshold, openStarts, type StartBound } from "@gridlock/solver";
import { type Database, patiently, StoreError, type Waiting } from "@gridlock/store";
import type { VisitCrew } from "./crew.js";
import type { LayeredProof } from "./proof.js";

/** Most times that all values are proven again. */
const MOST_REPEATS = 3;

/** Options of a solve by layers. */
export interface LayersSolveOptions {
  /**
   * The first threshold to ask, in points (default: one that the shape suggests). It affects only
   * the time.
   */
  readonly guess?: number;
  /** Stops the solve; everything proven by then is saved. */
  readonly signal?: AbortSignal;
  /** Receives a sentence when a wait for a locked file begins, and another one when it ends. */
  readonly onWait?: Waiting["onWait"];
  /** Called after each step, and after each round. */
  readonly onProgress?: (starts: readonly StartBound[]) => void;
}

/**
 * Solves all starts of a game together. In each round it asks, for every open start, whether its
 * value reaches the next threshold of its window, and merges the answers into the database. Returns
 * when all starts are solved or the signal is aborted.
 */
export async function solveByLayers(
  game: Game,
  database: Database,
  proof: LayeredProof,
  crew: VisitCrew,
  { guess: first, signal, onWait, onProgress }: LayersSolveOptions = {},
): Promise<readonly StartBound[]> {
  const normal = { ...game, shape: normalShape(game.shape) };
  const { file } = database;
  const waiting = { onWait, isStopped: () => signal?.aborted === true };
  let state: readonly StartBound[] = await patiently(
    file,
    () => openStarts(normal, database),
    waiting,
  );
  const table = database.bounds(normal);
  // An interrupted round is finished first, so that the rounds are the same as without the
  // interruption.
  let unfinished = proof.thresholds;
  /** Asks the proof about the starts; returns them with the bounds that are then known. */
  const ask = async (starts: readonly StartBound[], thresholds: readonly number[]) => {
    const onStep = () => onProgress?.(state);
    const bounds = await proof.ask(thresholds, crew, { signal, onStep, onWait });
    return starts.map((start, i) => {
      const bound = mergeBounds(start.bound, bounds[i] as Bound);
      if (bound.lo <= bound.hi) return { ...start, bound };
      throw new StoreError(
        "contradiction",
        `${formatBoard(start.board)} has ${start.bound.lo} … ${start.bound.hi} in ${file}, which the layers in ${proof.folder} contradict; one of them is false: solve again with --fresh`,
      );
    });
  };
  for (;;) {
    const guess = guessAmong(normal, state, first);
    const next = state.map(
      ({ board, bound }) => nextThreshold(bound, mostPointsToCome(board), guess) ?? 0,
    );
    const thresholds = unfinished ?? next;
    unfinished = undefined;
    if (thresholds.every((threshold) => threshold === 0) || signal?.aborted) return state;
    const answered = await ask(state, thresholds);
    // If blocks were forgotten, all values are proven again, so that the files show all of them:
    // earlier answers are in the database, but perhaps no longer in the files.
    const isSolved = answered.every(({ bound }) => isExact(bound));
    for (let i = 0; isSolved && proof.status.losses > 0 && i < MOST_REPEATS; i++) {
      const { losses } = proof.status;
      for (const more of [0, 4]) {
        const nearby = answered.map(({ bound }) => bound.lo + more);
        await ask(answered, nearby);
        if (signal?.aborted) return state;
      }
      if (proof.status.losses === losses) proof.settleLosses();
    }
    state = answered;
    const bounds = state.map(({ board, bound }) => ({
      ...packNode({ board: canonical(board), turn: "slider" }),
      ...bound,
    }));
    await patiently(file, () => table.merge(bounds), waiting);
    onProgress?.(state);
  }
}
