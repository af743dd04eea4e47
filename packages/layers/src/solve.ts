import { type Game, isExact, mergeBounds, mostPointsToCome, normalShape } from "@gridlock/game";
import {
  firstGuess,
  guessBeside,
  guessOf,
  nextThreshold,
  openStarts,
  type StartBound,
} from "@gridlock/solver";
import { type Database, StoreError } from "@gridlock/store";
import type { VisitPort } from "./crew.js";
import type { LayeredProof } from "./proof.js";
import type { CheckBlocks } from "./proof-check.js";
import type { LayersStatus } from "./proof-state.js";

export interface LayersSolveOptions {
  /** The first threshold to ask, in points (default: one that the shape suggests). It changes only the time. */
  readonly guess?: number;
  /** Stops the solve; what is proven by then is saved. */
  readonly signal?: AbortSignal;
  /** If it is given, nothing is stored before it has been checked. */
  readonly check?: CheckBlocks;
  /** Called after each step, and after each round. */
  readonly onProgress?: (starts: readonly StartBound[], status: LayersStatus) => void;
}

/**
 * Solves all starts of a game together: asks in each round, for every start that is open, whether it is worth the next
 * threshold of its window. Merges the answers into the database. Returns when all starts are solved or the signal is
 * aborted.
 */
export async function solveByLayers(
  game: Game,
  database: Database,
  proof: LayeredProof,
  port: VisitPort,
  { guess: first, signal, check, onProgress }: LayersSolveOptions = {},
): Promise<StartBound[]> {
  const normal = { ...game, shape: normalShape(game.shape) };
  const table = database.bounds(normal);
  const state = openStarts(normal, database);
  // A round that was stopped is finished first: then the rounds are the same as if it had not been.
  let unfinished = proof.thresholds;
  for (;;) {
    const found = state.filter(({ bound }) => isExact(bound)).map(({ bound }) => bound.lo);
    const guess =
      found.length > 0
        ? guessBeside(Math.max(...found))
        : first === undefined
          ? firstGuess(normal)
          : guessOf(first);
    const next = state.map(
      ({ board, bound }) => nextThreshold(bound, mostPointsToCome(board), guess) ?? 0,
    );
    const thresholds = unfinished ?? next;
    unfinished = undefined;
    if (thresholds.every((threshold) => threshold === 0) || signal?.aborted) return state;
    const onStep = (status: LayersStatus) => onProgress?.(state, status);
    const results = await proof.ask(thresholds, port, { signal, check, onStep });
    const fresh = results.flatMap((result, i) => {
      const start = state[i] as StartBound;
      if (result === undefined || result.outcome === "open") return [];
      const { outcome, bound: points } = result;
      const answer =
        outcome === "reached"
          ? { lo: points, hi: Number.POSITIVE_INFINITY }
          : { lo: 0, hi: points };
      const bound = mergeBounds(start.bound, answer);
      if (bound.lo > bound.hi) {
        throw new StoreError(
          "contradiction",
          `the layers in ${proof.folder} contradict ${database.file}; delete the folder to start over`,
        );
      }
      state[i] = { ...start, bound };
      return [{ ...proof.nodeOf(i), ...bound }];
    });
    table.merge(fresh);
    onProgress?.(state, proof.status);
  }
}
