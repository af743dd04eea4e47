import type { Experiment } from "../experiment.js";
import { estimate, gradient } from "./at-least.js";
import { exact } from "./exact.js";
import { held } from "./held.js";
import { zaky } from "./largest-tiles.js";
import { moves } from "./moves.js";
import { strategies } from "./strategies.js";

/** All experiments on players: those of their papers, then ours. */
export const PLAYERS_EXPERIMENTS: readonly Experiment[] = [
  strategies,
  estimate,
  gradient,
  zaky,
  exact,
  moves,
  held,
];
