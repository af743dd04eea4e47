import type { Bound } from "@gridlock/game";
import { Crew } from "./crew.js";
import { searchTogether } from "./deferral.js";
import { searchByJobs } from "./job-level.js";
import type { Traffic } from "./network.js";
import { checkOptions, type SimulationOptions } from "./options.js";

/** The result of a run of virtual machines. */
export interface Run {
  readonly machines: number;
  readonly threads: number;
  readonly bound: Bound;
  /** Virtual time until the answer: nodes that one thread expands meanwhile. */
  readonly time: number;
  /** Nodes that all threads had expanded by then, up to one batch more for each. */
  readonly nodes: number;
  readonly traffic: Traffic;
  /** Records that were dropped because a machine's journal was full. */
  readonly missed: number;
}

/** One thread of one machine by itself, the baseline of all comparisons. */
export function alone(options: SimulationOptions): SimulationOptions {
  return { ...options, machines: 1, threads: 1, method: "deferral", ties: false };
}

/**
 * Runs virtual machines on a question until they have its answer. The same options give exactly the same
 * figures on every computer.
 *
 * @throws {RangeError} if an option is invalid, or a table cannot be made
 */
export async function simulate(options: SimulationOptions, signal?: AbortSignal): Promise<Run> {
  checkOptions(options);
  const crew = new Crew(options);
  try {
    await crew.ready();
    const search = options.method === "deferral" ? searchTogether : searchByJobs;
    const { bound, time } = await search(crew, options, signal);
    const { machines, threads } = options;
    const { traffic } = crew.network;
    return { machines, threads, bound, time, nodes: crew.nodes, traffic, missed: crew.missed };
  } finally {
    await crew.close();
  }
}

/** Returns whether a bound answers a question with yes. */
export function saysYes({ lo }: Bound, threshold: number): boolean {
  return lo >= threshold;
}

/** Returns the efficiency: the speed-up over one thread, divided by the number of threads. */
export function efficiency(
  run: Pick<Run, "machines" | "threads" | "time">,
  alone: Pick<Run, "time">,
): number {
  return alone.time / (run.machines * run.threads * run.time);
}
