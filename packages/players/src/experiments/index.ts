import { estimate, gradient } from "./at-least.js";
import { exact } from "./exact.js";
import type { PlayersExperiment } from "./experiment.js";
import { zaky } from "./largest-tiles.js";
import { strategies } from "./strategies.js";

/** All experiments on players, in the order of their papers. */
export const PLAYERS_EXPERIMENTS: readonly PlayersExperiment[] = [
  strategies,
  estimate,
  gradient,
  zaky,
  exact,
];
