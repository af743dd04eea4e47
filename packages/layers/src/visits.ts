import type { PackedBoard } from "@gridlock/game";
import type { BlockNumber, STARTS } from "./blocks.js";

/** A visit, with everything that its result depends on. */
export interface Visit {
  readonly block: BlockNumber;
  /** Number of the step in which it is made; no other visit of the block has it. */
  readonly step: number;
  /** The step of the block's last visit; undefined if there was none. */
  readonly last: number | undefined;
  /** True if that was in an earlier round: what was demanded then no longer counts. */
  readonly isNewRound: boolean;
  /** The files that have letters for the block. */
  readonly letters: readonly string[];
}

/** The starts to look at. */
export interface StartsVisit extends Visit {
  readonly block: typeof STARTS;
  readonly starts: readonly { readonly board: PackedBoard; readonly need: number }[];
}

/** Work done, in numbers that do not depend on the machine. */
export interface VisitCounts {
  /** Nodes expanded. */
  readonly expanded: number;
  /** Nodes of which an edge had failed. */
  readonly chosenAgain: number;
  /** Bounds looked up. */
  readonly looks: number;
}

export function addCounts(a: VisitCounts, b: VisitCounts): VisitCounts {
  return {
    expanded: a.expanded + b.expanded,
    chosenAgain: a.chosenAgain + b.chosenAgain,
    looks: a.looks + b.looks,
  };
}

/** The cost of a visit: processor seconds (see `thread-clock.ts`), and bytes of files. */
export interface VisitCost {
  /** Seconds of reading the block's file; of the visit itself, letters included; of writing the block's file. */
  readonly loading: number;
  readonly working: number;
  readonly saving: number;
  /** True if the block was in memory, so that its file was not read. */
  readonly isInMemory: boolean;
  /** Bytes of the block's file, read and written; 0 if it was not. */
  readonly blockRead: number;
  readonly blockWritten: number;
  /** Bytes of letters, read and written. */
  readonly lettersRead: number;
  readonly lettersWritten: number;
}

/** What a visit has left. */
export interface VisitResult extends VisitCounts {
  readonly cost: VisitCost;
  /** The blocks that it has written letters to, and how many demands and answers each has got. */
  readonly letters: readonly { readonly to: BlockNumber; readonly items: number }[];
  /** Boards of which the block knows something. */
  readonly boards: number;
  /** Open nodes; of these the ones that something demands; and those that wait for the next visit to be expanded. */
  readonly open: number;
  readonly live: number;
  readonly waiting: number;
}

/** A visit's result, or the name of the file that it found damaged or missing. */
export type VisitOutcome = VisitResult | { readonly damaged: string };

/** What is known of a start's question: settled with a bound (points / 4), or open. */
export interface StartResult {
  readonly outcome: "reached" | "failed" | "open";
  readonly bound: number;
}
