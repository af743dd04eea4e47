import type { Sweep, SweepOptions } from "./sweep.js";

/** Progress of a sweep. */
export interface SweepProgress {
  /** Tile sum of the layer finished last. */
  readonly sum: number;
  /** Number of layers and positions finished. */
  readonly layers: number;
  readonly positions: number;
}

/** Progress of a tabulation; finished layers are already stored. */
export interface TabulationProgress extends SweepProgress {
  readonly doing: "positions" | "values";
  /** Number of positions of all layers; known only for values. */
  readonly positionsInAll: number | undefined;
}

/**
 * Options of a tabulation. A stopped tabulation leaves its files as they are, so that it can be
 * resumed.
 */
export interface TabulateOptions extends SweepOptions {
  /** The database beside which the files lie. */
  readonly db: string;
  onProgress?(progress: TabulationProgress): void;
  /** Receives a message on each damage found and its repair. */
  onRepair?(text: string): void;
}

/** Context that the parts of a tabulation share. */
export interface TabulationRun extends TabulateOptions {
  /** Returns the tables and threads, which are created on first use. */
  sweep(): Sweep;
}
