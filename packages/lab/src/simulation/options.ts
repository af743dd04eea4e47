import type { Game } from "@gridlock/game";
import { tableLimits } from "@gridlock/kernel";
import type { Question } from "@gridlock/solver";

/** A run of virtual machines. Times are counted in nodes that one thread expands meanwhile. */
export interface SimulationOptions {
  readonly game: Game;
  /** The question that the machines answer; `undefined`: all of a solve of all starts. */
  readonly question: Question | undefined;
  readonly machines: number;
  /** Threads of each machine, which share its table. */
  readonly threads: number;
  /** Memory for each machine's table in bytes, including that of its threads. */
  readonly memory: number;
  /** Time between two exchanges of a machine. */
  readonly every: number;
  /** Time that a batch takes to reach the other machines. */
  readonly delay: number;
  /** Bytes that a machine may send in the time of a node. */
  readonly rate: number;
  /** Least effort of the bounds that are passed on, 1 to 63; see `effortOf`. */
  readonly effort: number;
  /** Time that a thread loses for each record that its machine puts into its table. */
  readonly intake: number;
  /** Time that a thread loses for each record that its machine sorts and packs. */
  readonly pack: number;
  /** Determines the machines' orders of children. */
  readonly seed: number;
}

/** Defaults: exchanges every 4 ms at 1.3 million nodes a second; costs from docs/scaling.md. */
export const SIMULATION_DEFAULTS = {
  threads: 1,
  every: 5_000,
  delay: 2_500,
  rate: Number.POSITIVE_INFINITY,
  effort: 1,
  intake: 0.05,
  pack: 0.03,
  seed: 1,
} as const satisfies Partial<SimulationOptions>;

/** Entries of a default table beyond the least that a shape needs. */
const DEFAULT_ENTRIES = 2 ** 24;

/** Returns the default memory of a virtual machine, in bytes. */
export function simulationMemory(game: Game, threads: number): number {
  const { least, most } = tableLimits(game, threads + 1);
  return Math.min(most, least + 8 * DEFAULT_ENTRIES);
}
