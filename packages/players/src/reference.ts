import { DIRECTIONS, type Direction } from "@gridlock/game";
import { certainChoice, equalChoices } from "./choices.js";
import { Grid, ILLEGAL } from "./grid.js";
import type { PlayerKind } from "./kind.js";
import type { Cells } from "./player.js";

/** Chooses among the legal slides at random. */
export const random: PlayerKind = {
  names: ["random"],
  summary: "a legal slide at random",
  make({ name, shape }) {
    const grid = new Grid(shape);
    const after = new Uint8Array(grid.size);
    const choose = (cells: Cells) => {
      let legal = 0;
      DIRECTIONS.forEach((direction, i) => {
        if (grid.slide(cells, direction, after) !== ILLEGAL) legal |= 1 << i;
      });
      return equalChoices(legal);
    };
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
    const grid = new Grid(shape);
    const after = new Uint8Array(grid.size);
    const choose = (cells: Cells) => {
      let most = ILLEGAL;
      let best: Direction = "up";
      for (const direction of DIRECTIONS) {
        const points = grid.slide(cells, direction, after);
        if (points > most) {
          most = points;
          best = direction;
        }
      }
      return certainChoice(best);
    };
    return { name, isSymmetric: false, choose };
  },
};
