import type { Column } from "./columns.js";
import type { Sweep } from "./sweep.js";

/** How far a tabulation has come. */
export interface TabulationProgress {
  readonly doing: "positions" | "values";
  /** The tile sum of the layer that was last written. */
  readonly sum: number;
  /** Layers and positions written by this sweep; how many there will be is known of values only. */
  readonly layers: number;
  readonly layersInAll: number | undefined;
  readonly positions: number;
}

/** How to tabulate. */
export interface TabulateOptions {
  /** Worker threads. */
  readonly threads: number;
  /** Bytes that the tables and lists of a sweep may take. */
  readonly memory: number;
  /** Where each column is kept. */
  fileOf(column: Column): string;
  /** Once it is aborted, what has been done is left as it is, to go on from. */
  readonly signal?: AbortSignal;
  onProgress?(progress: TabulationProgress): void;
  /** Told of damage that was found, and what is done about it. */
  onRepair?(text: string): void;
}

/** What the parts of a tabulation share. */
export interface TabulationRun extends TabulateOptions {
  /** The tables and threads; made when they are first needed. */
  sweep(): Promise<Sweep>;
}
