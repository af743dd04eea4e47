import { orAborted, Thread } from "@gridlock/store";
import { checkSimulation, type SimulationOptions } from "./options.js";
import type { OnSimulated, SimulatedRun } from "./run.js";

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
