import type { LbhsvForm, LbhsvTable } from "./lbhsv.js";

/**
 * The orderings of the moves of a node: the paper's three, and three that it names without trying
 * them.
 */
export const ORDERINGS = [
  ...(["fixed", "heuristic", "mixed"] as const),
  ...(["deepening", "table-move", "lbhsv-move"] as const),
];

/**
 * The techniques of the paper, each a switch. With the score or a sound form as the static value,
 * any combination gives the same value of a full search.
 */
export interface Techniques {
  /** Plain minimax, or alpha-beta. */
  readonly pruning: "none" | "alpha-beta";
  /**
   * The transposition table: none; for the board alone; or for symmetric boards, which either
   * stores each result for all images or looks up all images on reading.
   */
  readonly table: "none" | "plain" | "all-images" | "on-reading";
  /** Pruning by the static value as a lower bound. */
  readonly lowerBound: boolean;
  /** The static value f_lo, of leaves and for lower-bound pruning: the score so far, or LBHSV's. */
  readonly value: "score" | LbhsvForm;
  /**
   * True if an exact value of a shallower search serves as a lower bound (the paper's footnote 1).
   * The paper's counts come from a program that did not use it.
   */
  readonly footnote: boolean;
  readonly ordering: (typeof ORDERINGS)[number];
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
 * The same with LBHSV computed beforehand, as the paper describes. That the table held the boards
 * of tiles up to 16 is inferred from the count at depth 18, which only this table reproduces.
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

/** The baseline, Bill's in the paper: a search without a table, its leaves worth their score. */
export const BASELINE: Techniques = {
  ...PAPER_BEST,
  table: "none",
  lowerBound: false,
  value: "score",
};
