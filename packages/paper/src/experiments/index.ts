import type { Experiment } from "../experiment.js";
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

/** All experiments, in the order of the paper and then what it could not do and what it got wrong. */
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

/** The same, those first whose longest task takes longest, so that no thread is left with one at the end. */
export const LONGEST_FIRST: readonly Experiment[] = [
  lowerBound,
  figure1,
  solution,
  ...EXPERIMENTS.filter((one) => ![lowerBound, figure1, solution].includes(one)),
];
