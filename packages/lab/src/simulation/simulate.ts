import type { Bound } from "@gridlock/game";
import { orAborted, Thread } from "@gridlock/threads";
import type { Traffic } from "./network.js";
import type { SimulationOptions } from "./options.js";

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
 * @throws {RangeError} if a table cannot be created, or the search goes deeper than its stack
 *   allows
 * @throws the signal's reason if it is aborted
 */
export async function simulate(
  options: SimulationOptions,
  signal: AbortSignal = new AbortController().signal,
  onProgress: OnSimulated = () => {},
): Promise<SimulatedRun> {
  signal.throwIfAborted();
  // In a thread of its own, whose end also frees the tables at once.
  await using thread = new Thread<SimulationOptions, SimulatedRun, Parameters<OnSimulated>>(
    new URL("./conductor-worker.js", import.meta.url),
    { name: "the simulation", onNotice: (progress) => onProgress(...progress) },
  );
  return await orAborted(thread.ask(options), signal);
}
