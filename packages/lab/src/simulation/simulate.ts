import {
  type Board,
  type Bound,
  mergeBounds,
  mostPointsToCome,
  packNode,
  UNKNOWN,
} from "@gridlock/game";
import { firstGuess, LocalPool, nextThreshold, type Question } from "@gridlock/solver";
import { orAborted, Thread } from "@gridlock/threads";
import type { Traffic } from "./network.js";
import { checkSimulation, type SimulationOptions } from "./options.js";

/** The result of one simulated run. */
export interface SimulatedRun {
  /** The bound of the board of the question, or of each start of a solve. */
  readonly bounds: readonly Bound[];
  /** Time until the coordinator has the answer. */
  readonly time: number;
  /** Nodes that all threads had expanded by then. */
  readonly nodes: number;
  readonly traffic: Traffic;
  /** Subtrees that machines have searched. */
  readonly subtrees: number;
  /** Records for which a journal had no room. */
  readonly missed: number;
}

/** Called now and then with the time and the nodes so far. */
type OnSimulated = (time: number, nodes: number) => void;

/**
 * Simulates machines that answer a question, or solve all starts, together. The same options always
 * give the same result.
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
    new URL("./conductor-worker.js", import.meta.url),
    { name: "the simulation", onNotice: (progress) => onProgress(...progress) },
  );
  return await orAborted(thread.ask(options), signal);
}

/**
 * Finds the hardest question about a board: whether its value, which a search finds first, can be
 * forced, or the next higher score, whichever takes one thread longer from an empty table. Returns
 * the question and the run of that thread.
 *
 * @param threshold asks whether this score can be forced instead
 * @throws the signal's reason if it is aborted
 */
export async function hardestQuestion(
  board: Board,
  options: Omit<SimulationOptions, "question">,
  threshold?: number,
  signal?: AbortSignal,
  onProgress?: OnSimulated,
): Promise<{ readonly question: Question; readonly run: SimulatedRun }> {
  const node = packNode({ turn: "slider", board });
  const ask = async (threshold: number) => {
    const question = { ...node, threshold };
    const alone = { ...options, question, machines: 1, threads: 1 };
    return { question, run: await simulate(alone, signal, onProgress) };
  };
  if (threshold !== undefined) return await ask(threshold);
  const value = await valueFound(board, options, signal);
  const exact = value === 0 ? undefined : await ask(value);
  const next = await ask(value + 4);
  return exact === undefined || next.run.time > exact.run.time ? next : exact;
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
