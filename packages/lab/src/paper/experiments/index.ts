import type { Experiment } from "../../experiment.js";
import { figure1 } from "./figure1.js";
import { figure7 } from "./figure7.js";
import { figure8 } from "./figure8.js";
import { figure9 } from "./figure9.js";
import { lowerBound } from "./lower-bound.js";
import { solution } from "./solution.js";
import { table1 } from "./table1.js";
import { table2 } from "./table2.js";
import { table3 } from "./table3.js";
import { table4 } from "./table4.js";

/** All experiments: those of the paper in its order, then those about its limits and errors. */
export const EXPERIMENTS: readonly Experiment[] = [
  table1,
  table2,
  table3,
  table4,
  figure1,
  figure7,
  figure8,
  figure9,
  solution,
  lowerBound,
];

/**
 * The same experiments, those with the longest tasks first, so that no long task is left for the
 * end.
 */
export const LONGEST_FIRST: readonly Experiment[] = [
  ...new Set<Experiment>([lowerBound, figure1, solution, ...EXPERIMENTS]),
];
