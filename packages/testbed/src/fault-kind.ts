/** Options of a series of faults. */
export interface FaultOptions {
  /** The shape to solve. Default: that of the kind. */
  readonly shape?: string | undefined;
  /** Number of runs of each kind. Default: that of the kind. */
  readonly runs?: number | undefined;
  readonly seed: number;
  /** Number of runs at a time. */
  readonly jobs: number;
}

/** The settings of one run of a fault. */
export interface FaultRun {
  /** From 1. */
  readonly run: number;
  /** An empty folder, which is removed after the run. */
  readonly folder: string;
  /** Returns numbers from 0 to 1 that depend on the seed, the kind and the run alone. */
  readonly random: () => number;
  readonly pick: <T>(list: readonly T[]) => T;
}

/**
 * Inflicts a fault once; returns in a few words how that has ended.
 *
 * @throws {Error} saying what was wrong
 */
export type Inflict = (run: FaultRun) => Promise<string>;

/** A kind of fault. */
export interface FaultKind {
  /** What happens. */
  readonly what: string;
  /** Number of runs, unless told otherwise. */
  readonly times: number;
  /** Makes what all runs need, once, in an empty folder if files. */
  prepare(options: FaultOptions, folder: string): Inflict | Promise<Inflict>;
}
