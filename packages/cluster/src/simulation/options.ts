import { formatShape, type Game } from "@gridlock/game";
import { hasKernel, tableLimits } from "@gridlock/kernel";
import type { Question } from "@gridlock/solver";

/** Nodes between two polls of the kernel: virtual time advances in multiples of it. */
export const POLL_NODES = 256;

/** The method by which machines divide the work. */
export type Method = "deferral" | "job-level";
/** The receivers of a machine's bounds: all other machines, or the one machine that owns the board. */
export type NetworkKind = "copy" | "owner";

/** A run of virtual machines. All times are in nodes that a thread expands meanwhile. */
export interface SimulationOptions {
  readonly game: Game;
  readonly question: Question;
  readonly machines: number;
  /** Threads of each machine, which share its table. */
  readonly threads: number;
  /** Memory of each machine's table in bytes, including the room for its threads. */
  readonly memory: number;
  /** Fewest nodes that a shared bound has cost; undefined: no bounds are shared. */
  readonly share: number | undefined;
  /** Whether a cheaper bound is shared the first time that it decides a node. */
  readonly reuse: boolean;
  /** Nodes of work before a node is announced to other machines; undefined: nodes are not announced. */
  readonly announce: number | undefined;
  /** Time from the end of a batch until it arrives. */
  readonly delay: number;
  /** Time between two batches that a machine sends, a multiple of {@link POLL_NODES}. */
  readonly batch: number;
  /** Cost of receiving a record, in nodes that a thread expands meanwhile. */
  readonly intake: number;
  /** The probability that a batch does not reach a receiver. */
  readonly loss: number;
  /** Whether each machine except the first orders slides slightly differently. */
  readonly ties: boolean;
  readonly network: NetworkKind;
  readonly method: Method;
  /** Job-level search: most nodes of a job. */
  readonly job: number;
  /** Determines which batches are lost and how ties are broken. */
  readonly seed: number;
}

export const DEFAULTS = {
  threads: 1,
  share: 5,
  reuse: true,
  announce: 1000,
  delay: 10_000,
  batch: 1024,
  intake: 0,
  loss: 0,
  ties: true,
  network: "copy",
  method: "deferral",
  job: 1000,
  seed: 1,
} as const satisfies Partial<SimulationOptions>;

/** Room in a default table, in entries, besides what a shape's exact keys need. */
const DEFAULT_ENTRIES = 2 ** 20;

/** Default memory for each machine: the least with which keys are exact, and room for some more entries. */
export function simulationMemory(game: Game, threads: number): number {
  const { least, most } = tableLimits(game, threads + 1);
  return Math.min(most, least + 8 * DEFAULT_ENTRIES);
}

/** @throws {RangeError} if an option is invalid, with the expected values */
export function checkOptions(options: SimulationOptions): void {
  const whole = (name: string, value: number | undefined, least: number, most: number) => {
    if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) return;
    throw new RangeError(`${name} is ${value}; expected a whole number from ${least} to ${most}`);
  };
  const { game, intake, loss, memory, batch } = options;
  if (!hasKernel(game.shape)) {
    throw new RangeError(`there is no kernel for ${formatShape(game.shape)}`);
  }
  whole("machines", options.machines, 1, 1024);
  whole("threads", options.threads, 1, 64);
  whole("share", options.share, 1, 2 ** 31);
  whole("announce", options.announce, 1, 2 ** 31 - 1);
  whole("delay", options.delay, 0, 1e9);
  whole("batch", batch, POLL_NODES, 1e9);
  whole("job", options.job, 1, 1e9);
  whole("seed", options.seed, 0, 2 ** 32 - 1);
  if (batch % POLL_NODES !== 0) {
    throw new RangeError(`batch is ${batch}; expected a multiple of ${POLL_NODES}`);
  }
  if (!(intake >= 0 && intake <= 1000)) {
    throw new RangeError(`intake is ${intake}; expected a number from 0 to 1000`);
  }
  if (!(loss >= 0 && loss <= 1)) {
    throw new RangeError(`loss is ${loss}; expected a number from 0 to 1`);
  }
  const { least } = tableLimits(game, options.threads + 1);
  if (!(memory >= least)) {
    throw new RangeError(`memory is ${memory} bytes; expected at least ${least}`);
  }
}
