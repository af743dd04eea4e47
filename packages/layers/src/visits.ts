import type { PackedBoard } from "@gridlock/game";
import type { Section } from "./block-file.js";
import type { BlockNumber, STARTS } from "./blocks.js";

/** The files of a block. */
export interface BlockFiles {
  /** Most of the bounds that are known in the block. */
  readonly base: string | undefined;
  /** What the last visit left: bounds learned since the base was written, open nodes, demands, answers. */
  readonly visit: string;
}

/** A file with something for the block that is visited. */
export interface Letter {
  readonly from: BlockNumber;
  readonly file: string;
  /** True if it was written since the block was last visited. */
  readonly isNew: boolean;
}

/** A visit, with everything that its result depends on. */
export interface Visit {
  readonly block: BlockNumber;
  readonly own: BlockFiles | undefined;
  /** True if the demands that the last visit made no longer count. */
  readonly isFresh: boolean;
  /** Files with answers to the block's demands, in the order of the blocks that wrote them. */
  readonly answers: readonly Letter[];
}

/** A block to visit. */
export interface VisitTask extends Visit {
  /** Files with demands on the block, in the order of the blocks that wrote them. */
  readonly demands: readonly Letter[];
}

/** The starts to look at. */
export interface StartsTask extends Visit {
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

/** What a visit has left. */
export interface VisitResult extends VisitCounts {
  readonly seconds: number;
  readonly files: BlockFiles;
  /** The demands and answers in its file. */
  readonly letters: readonly Section[];
  /** Boards in the block's files. */
  readonly boards: number;
  /** Open nodes; of these the ones that something demands; and those that wait for the next visit to be expanded. */
  readonly open: number;
  readonly live: number;
  readonly waiting: number;
}

/** A visit's result, or the file that it found damaged or missing. */
export type VisitOutcome = VisitResult | { readonly damaged: string };

/** What is known of a start's question: settled with a bound (points / 4), or open. */
export interface StartResult {
  readonly outcome: "reached" | "failed" | "open";
  readonly bound: number;
}
