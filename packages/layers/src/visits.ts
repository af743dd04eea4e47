import type { Bound, PackedBoard } from "@gridlock/game";
import type { LayersLetters } from "@gridlock/store";
import type { Letters } from "./block-file.js";
import type { BlockNumber } from "./blocks.js";

/** A visit, with everything on which its result depends. */
export interface Visit {
  readonly block: BlockNumber;
  /** Number of its step, in which it is the only visit of the block. */
  readonly step: number;
  /** The step of the block's last visit; undefined if there was none. */
  readonly last: number | undefined;
  /** True if the last visit was in an earlier round, whose demands no longer count. */
  readonly isNewRound: boolean;
  /** The files that have letters for the block, and the letters of a file that is not yet written. */
  readonly letters: readonly { readonly file: string; readonly kept: Letters | undefined }[];
  /** True if the visit does no work, but writes a whole file of the block. */
  readonly isMerge?: boolean;
  /** The starts to look at, if the block is theirs; their needs are points / 4. */
  readonly starts?: readonly { readonly board: PackedBoard; readonly need: number }[];
}

/** The letters of a visit to a block. */
export interface SentLetters extends Pick<LayersLetters, "to" | "items"> {
  /** The letters, unless they are in a file. */
  readonly kept: Letters | undefined;
}

/** The result of a visit. */
export interface VisitResult {
  /**
   * Nodes expanded; nodes looked at again, after a board that they demand was settled; bounds looked
   * up. These numbers do not depend on the machine.
   */
  readonly expanded: number;
  readonly lookedAgain: number;
  readonly looks: number;
  readonly letters: readonly SentLetters[];
  /** Boards with bounds. */
  readonly boards: number;
  /** Nodes, which are demanded and not settled; those left for the next visit to expand. */
  readonly live: number;
  readonly waiting: number;
  /** The bounds that settle the questions about the starts to look at; undefined: open. */
  readonly starts: readonly (Bound | undefined)[];
}

/** A visit's result, or the name of a file that it found damaged or missing. */
export type VisitOutcome = VisitResult | { readonly damaged: string };
