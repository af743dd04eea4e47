import type { PackedBoard } from "@gridlock/game";
import type { Letters } from "./block-file.js";
import type { BlockNumber } from "./blocks.js";
import type { KeptLetters } from "./mail.js";

/** A visit, with everything on which its result depends. */
export interface Visit {
  readonly block: BlockNumber;
  /** Number of its step, in which it is the only visit of the block. */
  readonly step: number;
  /** The step of the block's last visit; undefined if there was none. */
  readonly last: number | undefined;
  /** True if the last visit was in an earlier round, whose demands no longer count. */
  readonly isNewRound: boolean;
  /** The files that have letters for the block. */
  readonly letters: readonly string[];
  /** Those of these letters that are not in the files, but in memory. */
  readonly kept?: readonly KeptLetters[];
  /** True if the visit does no work, but writes a whole file of the block. */
  readonly isMerge?: boolean;
  /** The starts to look at, if the block is theirs; their needs are points / 4. */
  readonly starts?: readonly { readonly board: PackedBoard; readonly need: number }[];
}

/** The amount of work done, in numbers that do not depend on the machine. */
export interface VisitCounts {
  /** Nodes expanded. */
  readonly expanded: number;
  /** Nodes looked at again, after a board that they demand was settled. */
  readonly lookedAgain: number;
  /** Bounds looked up. */
  readonly looks: number;
}

/** Adds the counts of two visits, or subtracts the second ones (`sign` −1). */
export function addCounts(a: VisitCounts, b: VisitCounts, sign: 1 | -1 = 1): VisitCounts {
  return {
    expanded: a.expanded + sign * b.expanded,
    lookedAgain: a.lookedAgain + sign * b.lookedAgain,
    looks: a.looks + sign * b.looks,
  };
}

/** The result of a visit. */
export interface VisitResult extends VisitCounts {
  /** The blocks to which it wrote letters, and the number of demands and answers to each. */
  readonly letters: readonly { readonly to: BlockNumber; readonly items: number }[];
  /** The letters themselves, if no file was written. */
  readonly kept?: readonly Letters[];
  /** Boards with bounds. */
  readonly boards: number;
  /** Nodes, which are demanded and not settled; those left for the next visit to expand. */
  readonly live: number;
  readonly waiting: number;
  /** The states of the starts to look at. */
  readonly starts: readonly StartResult[];
}

/** A visit's result, or the name of a file that it found damaged or missing. */
export type VisitOutcome = VisitResult | { readonly damaged: string };

/** The state of a start's question: settled by a bound (points / 4), or open. */
export interface StartResult {
  readonly outcome: "reached" | "failed" | "open";
  readonly bound: number;
}
