import type { Column } from "./columns.js";
import type { Sweep } from "./sweep.js";

/** How far a sweep has come. */
export interface SweepProgress {
  /** The tile sum of the layer that was done last. */
  readonly sum: number;
  /** Layers and positions that are done. */
  readonly layers: number;
  readonly positions: number;
}

/** How far a tabulation has come: what is done is written. */
export interface TabulationProgress extends SweepProgress {
  readonly doing: "positions" | "values";
  /** How many layers there will be, which is known of values only. */
  readonly layersInAll: number | undefined;
}

/** How to sweep. */
export interface SweepOptions {
  /** Worker threads. */
  readonly threads: number;
  /** Bytes that the tables and lists of a sweep may take. */
  readonly memory: number;
  /** Once it is aborted, the sweep ends after the layer that it is at. */
  readonly signal?: AbortSignal;
}

/** How to tabulate; what has been done when it is stopped is left as it is, to go on from. */
export interface TabulateOptions extends SweepOptions {
  /** Where each column is kept. */
  fileOf(column: Column): string;
  onProgress?(progress: TabulationProgress): void;
  /** Told of damage that was found, and what is done about it. */
  onRepair?(text: string): void;
}

/** What the parts of a tabulation share. */
export interface TabulationRun extends TabulateOptions {
  /** The tables and threads; made when they are first needed. */
  sweep(): Promise<Sweep>;
}
