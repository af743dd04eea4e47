import { type Shape, tileOf } from "@gridlock/game";
import { CHANCES, type Horizon, horizonOfCells } from "./boards.js";
import { orderOf } from "./choices.js";
import { expectimaxChooser } from "./expectimax.js";
import { forLines, type HorizonMaker, LineBoards } from "./lines.js";
import type { Cells, PlayerKind } from "./player.js";

/*
 * The player of Sildnes and Leitner, "2048 Expectimax Solver": expectimax over masks that fall from
 * a corner to the opposite one. The text leaves its depth open, and what the end of the game is
 * worth.
 */

/** The slides in the order of the text. */
const ORDER = orderOf("left", "right", "up", "down");

/**
 * Returns the masks of Figure 1 for the north-west and the north-east corner, row by row; those of
 * the opposite corners are their negatives. A mask falls by 1 with each row and column and sums to
 * 0, on 4×4 from 3 to −3; on shapes of an odd number of rows and columns together its numbers are
 * halves.
 */
export function gradientMasks({ rows, cols }: Shape): [nw: number[], ne: number[]] {
  const top = (rows + cols - 2) / 2;
  const cells = Array.from({ length: rows * cols }, (_, i) => [Math.floor(i / cols), i % cols]);
  return [
    cells.map(([row = 0, col = 0]) => top - row - col),
    cells.map(([row = 0, col = 0]) => top - row - (cols - 1 - col)),
  ];
}

/** Returns the largest sum of the tiles times a mask, over the masks of the four corners. */
export function gradient(masks: readonly number[][], cells: Cells): number {
  const sums = masks.map((mask) =>
    cells.reduce((sum, exponent, i) => sum + tileOf(exponent) * (mask[i] as number), 0),
  );
  return Math.max(...sums.map(Math.abs));
}

/** The gradient on boards of lines: the sums of each row under both masks are looked up. */
class GradientLines implements Horizon {
  readonly #boards: LineBoards;
  readonly #masks: readonly number[][];
  /** For each row, a table of all lines with both sums of each. */
  readonly #tables: readonly Float64Array[];

  constructor(boards: LineBoards, masks: readonly number[][]) {
    this.#boards = boards;
    this.#masks = masks;
    this.#tables = Array.from({ length: boards.rows }, (_, row) => {
      const table = new Float64Array(2 ** (4 * boards.cols + 1));
      forLines(boards.cols, (line, exponents) => {
        for (let col = 0; col < boards.cols; col++) {
          const tile = tileOf(exponents[col] as number);
          masks.forEach((mask, i) => {
            const worth = tile * (mask[row * boards.cols + col] as number);
            table[2 * line + i] = (table[2 * line + i] as number) + worth;
          });
        }
      });
      return table;
    });
  }

  value(at: number): number {
    return Math.max(Math.abs(this.#underMask(at, 0)), Math.abs(this.#underMask(at, 1)));
  }

  sum(at: number): number {
    const { rows, cols } = this.#boards;
    const [nw, ne] = [this.#underMask(at, 0), this.#underMask(at, 1)];
    let sum = 0;
    for (let row = 0; row < rows; row++) {
      for (let col = 0; col < cols; col++) {
        if (!this.#boards.isEmpty(at, row, col)) continue;
        const cell = row * cols + col;
        for (const [exponent, chance] of CHANCES) {
          const tile = 2 ** exponent;
          const first = Math.abs(nw + tile * (this.#masks[0]?.[cell] as number));
          const second = Math.abs(ne + tile * (this.#masks[1]?.[cell] as number));
          sum += chance * Math.max(first, second);
        }
      }
    }
    return sum;
  }

  #underMask(at: number, mask: number): number {
    const { rows, lines } = this.#boards;
    let sum = 0;
    for (let row = 0; row < rows; row++) {
      const table = this.#tables[row] as Float64Array;
      sum += table[2 * (lines[at + row] as number) + mask] as number;
    }
    return sum;
  }
}

/** Returns a function that makes the gradient on the boards of a search. */
export function gradientOn(masks: readonly number[][]): HorizonMaker {
  return (boards) =>
    boards instanceof LineBoards
      ? new GradientLines(boards, masks)
      : horizonOfCells(boards, (cells) => gradient(masks, cells));
}

/** The players `gradient`. */
export const gradientPlayer: PlayerKind = {
  names: ["gradient"],
  source: "Sildnes and Leitner 2014",
  summary: "expectimax for large tiles in a corner",
  depth: { unit: "slides, each with its placement", byDefault: 3, most: 6 },
  variants: {
    sum: "chances are not divided by the number of empty cells",
    lost: "a lost position counts 0 instead of its gradient",
  },
  make({ name, shape, depth, variants }) {
    const masks = gradientMasks(shape);
    const lost = variants.has("lost");
    const rules = {
      addsPoints: false,
      takesMean: !variants.has("sum"),
      lost: lost ? 0 : undefined,
      seesLossAtHorizon: lost,
    };
    const choose = expectimaxChooser(shape, rules, depth, gradientOn(masks), ORDER);
    return { name, isSymmetric: false, choose };
  },
};
