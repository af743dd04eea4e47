import {
  type Board,
  type Bound,
  mergeBounds,
  mostPointsToCome,
  packNode,
  UNKNOWN,
} from "@gridlock/game";
import { firstGuess, LocalPool, nextThreshold, type Question } from "@gridlock/solver";
import { orAborted, Thread } from "@gridlock/store";
import type { Traffic } from "./network.js";
import { checkSimulation, type SimulationOptions } from "./options.js";

/** The result of one simulated run. */
export interface SimulatedRun {
  readonly bound: Bound;
  /** Time until the first machine has the answer. */
  readonly time: number;
  /** Nodes that all threads had expanded by then. */
  readonly nodes: number;
  readonly traffic: Traffic;
  /** Records for which a journal had no room. */
  readonly missed: number;
}

/** Called now and then with the time and the nodes so far. */
export type OnSimulated = (time: number, nodes: number) => void;

/**
 * Simulates machines that search one question and share bounds. The same options always give the same
 * result.
 *
 * @throws {RangeError} if an option is out of its range
 * @throws {Error} if a table cannot be created, or the search goes deeper than its stack allows
 * @throws the signal's reason if it is aborted
 */
export async function simulate(
  options: SimulationOptions,
  signal: AbortSignal = new AbortController().signal,
  onProgress: OnSimulated = () => {},
): Promise<SimulatedRun> {
  checkSimulation(options);
  signal.throwIfAborted();
  // In a thread of its own, whose end also frees the tables at once.
  await using thread = new Thread<SimulationOptions, SimulatedRun, Parameters<OnSimulated>>(
    new URL("./conductor.js", import.meta.url),
    { name: "the simulation", onNotice: (progress) => onProgress(...progress) },
  );
  return await orAborted(thread.ask(options), signal);
}

/** A question and the run of one thread that answers it. */
export interface Alone {
  readonly question: Question;
  readonly run: SimulatedRun;
}

/** Runs one thread of one machine on a question: the measure of all other runs. */
export async function simulateAlone(
  options: SimulationOptions,
  signal?: AbortSignal,
  onProgress?: OnSimulated,
): Promise<Alone> {
  const run = await simulate({ ...options, machines: 1, threads: 1 }, signal, onProgress);
  return { question: options.question, run };
}

/**
 * Finds the hardest question about a board by solving it: whether its value can be forced, or the next
 * higher score, whichever takes one thread longer from an empty table.
 *
 * @throws the signal's reason if it is aborted
 */
export async function hardestQuestion(
  board: Board,
  options: Omit<SimulationOptions, "question">,
  signal?: AbortSignal,
  onProgress?: OnSimulated,
): Promise<Alone> {
  const node = packNode({ turn: "slider", board });
  const value = await valueFound(board, options, signal);
  let hardest: Alone | undefined;
  for (const threshold of [value, value + 4]) {
    if (threshold === 0) continue;
    const question = { ...node, threshold };
    const alone = await simulateAlone({ ...options, question }, signal, onProgress);
    if (hardest === undefined || alone.run.time > hardest.run.time) hardest = alone;
  }
  return hardest as Alone;
}

/** Returns the value of a board, by the search of one thread. */
async function valueFound(
  board: Board,
  { game, memory }: Omit<SimulationOptions, "question">,
  signal?: AbortSignal,
): Promise<number> {
  await using pool = new LocalPool(game, { workers: 1, memory });
  const node = packNode({ turn: "slider", board });
  let bound: Bound = UNKNOWN;
  for (;;) {
    const threshold = nextThreshold(bound, mostPointsToCome(board), firstGuess(game));
    if (threshold === undefined) return bound.lo;
    const answer = await pool.ask({ ...node, threshold }, { ...(signal && { signal }) });
    signal?.throwIfAborted();
    if (answer === undefined) throw new RangeError("the search went deeper than its stack allows");
    bound = mergeBounds(bound, answer);
  }
}
