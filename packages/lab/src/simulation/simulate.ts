import type { Bound } from "@gridlock/game";
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
