import {
  type Bound,
  type Game,
  isExact,
  mergeBounds,
  mostPointsToCome,
  normalShape,
  UNKNOWN,
} from "@gridlock/game";
import { guessAmong, nextThreshold, openStarts, type StartBound } from "@gridlock/solver";
import { type Database, patiently, StoreError, type Waiting } from "@gridlock/store";
import type { VisitCrew } from "./crew.js";
import type { AskOptions, LayeredProof } from "./proof.js";
import type { LayersStatus } from "./proof-state.js";
import type { StartResult } from "./visits.js";

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
  readonly onProgress?: (starts: readonly StartBound[], status: LayersStatus) => void;
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
  for (;;) {
    const guess = guessAmong(normal, state, first);
    const next = state.map(
      ({ board, bound }) => nextThreshold(bound, mostPointsToCome(board), guess) ?? 0,
    );
    const thresholds = unfinished ?? next;
    unfinished = undefined;
    const onStep = (status: LayersStatus) => onProgress?.(state, status);
    const asking = { signal, onStep, onWait };
    if (thresholds.every((threshold) => threshold === 0) || signal?.aborted) return state;
    const results = await proof.ask(thresholds, crew, asking);
    const answered = state.map((start, i) => {
      const bound = mergeBounds(start.bound, boundOf(results[i]));
      if (bound.lo > bound.hi) throw contradiction(proof, database);
      return { ...start, bound };
    });
    if (proof.losses > 0 && answered.every(({ bound }) => isExact(bound))) {
      await proveAgain(answered, database, proof, crew, asking);
      if (signal?.aborted) return state;
    }
    state = answered;
    const bounds = state.map(({ bound }, i) => ({ ...proof.nodeOf(i), ...bound }));
    await patiently(file, () => table.merge(bounds), waiting);
    onProgress?.(state, proof.status);
  }
}

/** Returns the bound of a start that an answer gives. */
function boundOf(result: StartResult | undefined): Bound {
  if (result === undefined || result.outcome === "open") return UNKNOWN;
  const { outcome, bound } = result;
  return outcome === "reached" ? { ...UNKNOWN, lo: bound } : { ...UNKNOWN, hi: bound };
}

/** Most times that all values are proven again. */
const MOST_REPEATS = 3;

/**
 * Proves all values again after blocks were forgotten, so that the files show all of them: earlier
 * answers are in the database, but perhaps no longer in the files.
 */
async function proveAgain(
  solved: readonly StartBound[],
  database: Database,
  proof: LayeredProof,
  crew: VisitCrew,
  asking: AskOptions,
): Promise<void> {
  const values = solved.map(({ bound }) => bound.lo);
  for (let repeats = 0; repeats < MOST_REPEATS; repeats++) {
    const { losses } = proof;
    for (const [outcome, more] of [
      ["reached", 0],
      ["failed", 4],
    ] as const) {
      const thresholds = values.map((value) => value + more);
      for (const result of await proof.ask(thresholds, crew, asking)) {
        if (result && result.outcome !== outcome && result.outcome !== "open") {
          throw contradiction(proof, database);
        }
      }
      if (asking.signal?.aborted) return;
    }
    if (proof.losses === losses) return proof.settleLosses();
  }
}

function contradiction({ folder }: LayeredProof, { file }: Database): StoreError {
  return new StoreError(
    "contradiction",
    `the layers in ${folder} contradict ${file}; delete the folder to start over`,
  );
}
