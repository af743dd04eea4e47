import type { LbhsvForm, LbhsvTable } from "./lbhsv.js";

/** What the moves of a node are ordered by. */
export type Ordering = "fixed" | "heuristic" | "mixed" | "deepening" | "table-move" | "lbhsv-move";

/** The paper's three orderings, and the three that it names without trying them. */
export const ORDERINGS: readonly Ordering[] = [
  "fixed",
  "heuristic",
  "mixed",
  "deepening",
  "table-move",
  "lbhsv-move",
];

/**
 * The techniques of the paper, each a switch. With the score or a sound form as the static value, any combination
 * gives the same value of a full search.
 */
export interface Techniques {
  /** Plain minimax, or alpha-beta. */
  readonly pruning: "none" | "alpha-beta";
  /**
   * The transposition table: none; by the board alone; with symmetric boards, either each result stored
   * for all images, or each image looked for on reading.
   */
  readonly table: "none" | "plain" | "all-images" | "on-reading";
  /** Lower-bound pruning, by the static value. */
  readonly lowerBound: boolean;
  /** The static value f_lo, of leaves and for lower-bound pruning: the score so far, or LBHSV's. */
  readonly value: "score" | LbhsvForm;
  /**
   * Whether an exact value of a shallower search is taken as a lower bound (the paper's footnote 1). Its
   * counts come from a program that did not.
   */
  readonly footnote: boolean;
  readonly ordering: Ordering;
  readonly lbhsvTable: LbhsvTable;
}

/** "AB&LB with Sym-Ttable with LBHSV", the paper's best. */
export const PAPER_BEST: Techniques = {
  pruning: "alpha-beta",
  table: "on-reading",
  lowerBound: true,
  value: "printed",
  footnote: false,
  ordering: "fixed",
  lbhsvTable: "filled",
};

/**
 * The same with LBHSV computed beforehand, as the paper says. That its table held the boards of tiles up to 16
 * is a guess from its count at depth 18, which is met with this table alone.
 */
export const PAPER_PROGRAM: Techniques = { ...PAPER_BEST, lbhsvTable: { largest: 16 } };

/** The paper's five combinations (Figure 8), best first. */
export const COMBINATIONS: readonly { readonly name: string; readonly techniques: Techniques }[] = [
  { name: "AB&LB with Sym-Ttable with LBHSV", techniques: PAPER_BEST },
  { name: "AB&LB with Sym-Ttable", techniques: { ...PAPER_BEST, value: "score" } },
  { name: "AB with Sym-Ttable with LBHSV", techniques: { ...PAPER_BEST, lowerBound: false } },
  { name: "AB&LB with Ttable with LBHSV", techniques: { ...PAPER_BEST, table: "plain" } },
  { name: "AB&LB with Ttable", techniques: { ...PAPER_BEST, table: "plain", value: "score" } },
];

/** The baseline that the paper calls Bill's: a search without a table, its leaves worth their score. */
export const BASELINE: Techniques = {
  ...PAPER_BEST,
  table: "none",
  lowerBound: false,
  value: "score",
};
