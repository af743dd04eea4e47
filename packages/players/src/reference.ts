import { bestSlides, CellRules } from "./cell-rules.js";
import { equalChoices } from "./choices.js";
import type { Cells, PlayerKind } from "./player.js";
import { ScoreSheet, strategyOf } from "./strategy.js";

/** Chooses among the legal slides at random. */
export const random: PlayerKind = {
  names: ["random"],
  summary: "a legal slide at random",
  make({ name, shape }) {
    const { choose } = strategyOf(name, "r", new ScoreSheet(shape, false));
    return { name, isSymmetric: true, choose };
  },
};

/**
 * Chooses the slide that earns the most points; among equal ones the first of up, left, down and
 * right.
 */
export const greedy: PlayerKind = {
  names: ["greedy"],
  summary:
    "the slide that earns the most points; of equal slides, the first of up, left, down, right",
  make({ name, shape }) {
    const cellRules = new CellRules(shape);
    const choose = (cells: Cells) => {
      const best = bestSlides(cells, cellRules, (points) => points);
      return equalChoices(best & -best); // the lowest bit: the first direction
    };
    return { name, isSymmetric: false, choose };
  },
};
