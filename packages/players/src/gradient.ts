import { CHANCES } from "./boards.js";
import { orderOf } from "./choices.js";
import { expectimaxChooser } from "./expectimax.js";
import type { HorizonMaker } from "./lines.js";
import type { PlayerKind } from "./player.js";

/*
 * The player of Sildnes and Leitner, "2048 Expectimax Solver": expectimax over masks that fall from
 * a corner to the opposite one. The text leaves its depth open, and what the end of the game is
 * worth.
 */

/** The slides in the order of the text. */
const ORDER = orderOf("left", "right", "up", "down");

/**
 * Makes the gradient on the boards of a search: the largest sum of the tiles times a mask, over the
 * masks of Figure 1, one for each corner. A mask falls by 1 with each row and column and sums to 0,
 * on 4×4 from 3 to −3. If a cell is y rows above the middle and x columns left of it, its numbers
 * are y + x, y − x, and their negatives, so the largest sum is |Σ tile·y| + |Σ tile·x|.
 */
export const gradientOn: HorizonMaker = (boards) => {
  const { rows, cols } = boards;
  const y = (row: number) => (rows - 1) / 2 - row;
  const x = (col: number) => (cols - 1) / 2 - col;
  const sumOfY = (at: number) => {
    let sum = 0;
    for (let row = 0; row < rows; row++) sum += y(row) * boards.sumOfLine(at, row);
    return sum;
  };
  const sumOfX = (at: number) => {
    let sum = 0;
    for (let col = 0; col < cols; col++) sum += x(col) * boards.sumOfLine(at, rows + col);
    return sum;
  };
  return {
    value: (at) => Math.abs(sumOfY(at)) + Math.abs(sumOfX(at)),
    sum(at) {
      const [ofY, ofX] = [sumOfY(at), sumOfX(at)];
      let sum = 0;
      for (let row = 0; row < rows; row++) {
        for (let col = 0; col < cols; col++) {
          if (!boards.isEmpty(at, row, col)) continue;
          for (const [exponent, chance] of CHANCES) {
            const tile = 2 ** exponent;
            sum += chance * (Math.abs(ofY + tile * y(row)) + Math.abs(ofX + tile * x(col)));
          }
        }
      }
      return sum;
    },
  };
};

/** The players `gradient`. */
export const gradientPlayer: PlayerKind = {
  names: ["gradient"],
  summary: "expectimax for large tiles in a corner",
  depth: { unit: "slides, each with its placement", byDefault: 3, most: 6 },
  variants: {
    sum: "chances are not divided by the number of empty cells",
    lost: "a lost position counts 0 instead of its gradient",
  },
  make({ name, shape, depth, variants }) {
    const lost = variants.has("lost");
    const rules = {
      addsPoints: false,
      averages: !variants.has("sum"),
      lost: lost ? 0 : undefined,
      seesLossAtHorizon: lost,
    };
    const choose = expectimaxChooser(shape, rules, depth, gradientOn, ORDER);
    return { name, isSymmetric: false, choose };
  },
};
