import {
  cellCount,
  type Game,
  largestTile,
  mostPoints,
  parseShape,
  type Tiles,
} from "@gridlock/game";
import { bars, type Column, tableOf } from "@gridlock/report";
import type { PaperFigure1Output } from "@gridlock/schemas";
import type { Experiment } from "../../experiment.js";
import type { ForcedReport } from "../forced.js";

const SHAPES = ["2x2", "2x3", "2x4", "3x3"].map(parseShape);

/** Returns the sum of N_up over the tiles from 2 or 4 up to 2^`largest`. */
function mostPointsOfChain(largest: number): number {
  let sum = 0;
  for (let k = 1; k <= largest; k++) sum += mostPoints(2 ** k);
  return sum;
}

function name({ game: { shape } }: ForcedReport): string {
  return `${shape.rows}×${shape.cols}`;
}

function cells({ game: { shape } }: ForcedReport): number {
  return cellCount(shape);
}

function formatRange({ least, most }: ForcedReport["score"]): string {
  return least === most ? `${most}` : `${least}–${most}`;
}

type Row = ForcedReport & { readonly game: Game };

/** Returns a table of what can be reached and forced on shapes, after some columns of figures. */
function table(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  return tableOf(rows, [
    ["shape", name],
    ...columns,
    ["reached with help", ({ helpedScore }) => helpedScore?.most],
    ["score forced", ({ score }) => formatRange(score)],
    ["tile forced", ({ tile }) => formatRange(tile)],
  ]);
}

/** Figure 1 and its formula: the best end states, beside the scores that the slider can force. */
export const figure1: Experiment<PaperFigure1Output> = {
  name: "figure1",
  title: "Figure 1: the best end states, and what is forced",
  summary: "the best end states and the largest tiles, and those that can be forced",
  async measure(bench) {
    const find = (tiles: Tiles) =>
      Promise.all(
        SHAPES.map((shape) => {
          const game: Game = { shape, tiles };
          // On 3×3 with 4s, another sweep is not worth its cost.
          const helped = tiles.length === 1 || cellCount(shape) < 9;
          return bench.run("findForced", { game, helped });
        }),
      );
    const [both, twos] = await Promise.all([find([2, 4]), find([2])]);
    const printedLargest = ({ game: { shape } }: ForcedReport) =>
      2 ** (shape.rows + shape.cols + 1);
    const reached = twos.every((row) => row.score.most === mostPointsOfChain(cells(row)));
    const text = `
The paper takes the best end state to be the board filled with the tiles from 4 to 2^(m+n+1), and with 2s only from 2 to 2^(m+n), worth
the sum of N_up over its tiles. The exponents should be m·n + 1 and m·n: on 3×3 its own picture goes up to 1024 = 2^10, not to
128 = 2^7.

A sweep of all boards finds the scores below: the score that the slider can force, and the score that both can reach if the
placer helps.

**With 2s and 4s**

${table(both, [
  ["largest tile by the formula", printedLargest],
  ["largest tile there is", ({ game }) => largestTile(game)],
  ["sum of N_up", (row) => mostPointsOfChain(cells(row) + 1)],
  ["less 4 a cell", (row) => mostPointsOfChain(cells(row) + 1) - 4 * cells(row)],
])}

The whole sum of N_up cannot be earned: to fill the board that far, the last tile of each chain must be placed as a 4, and each
placed 4 costs 4 points. On every shape that was swept, both together reach the sum less 4 points a cell.

The largest tiles that can be forced, whatever the score, are the paper's on 2×2 (8) and 3×2 (16). Its argument, from N_lo of
the next tile, shows only that no larger tile can be forced; that these can is found here by playing for the tile alone.

**With 2s only**

${table(twos, [
  ["largest tile by the formula", (row) => printedLargest(row) / 2],
  ["largest tile there is", (row) => 2 ** cells(row)],
  ["sum of N_up", (row) => mostPointsOfChain(cells(row))],
])}

${
  reached
    ? `The paper finds that with 2s only the slider forces the best end state of 2×2 and 3×2, and thinks it unlikely on larger boards. It is
forced on 2×4 and on 3×3 as well: a placer with 2s only can prevent nothing there. (Each 4 of a start makes it worth 4 points
less.)`
    : "On some of these shapes the slider cannot force the best end state."
}`;
    return { text, data: { both, twos } };
  },
  draw: ({ both, twos }) => [
    {
      name: "figure1",
      title: "What is forced of what could be reached",
      kind: "bars",
      x: { name: "shape", categories: both.map(name) },
      y: { name: "points", log: true },
      series: [
        bars("sum of N_up, 2s and 4s", both, (row) => mostPointsOfChain(cells(row) + 1)),
        bars("forced, 2s and 4s", both, ({ score }) => score.most),
        bars("sum of N_up, 2s only", twos, (row) => mostPointsOfChain(cells(row))),
        bars("forced, 2s only", twos, ({ score }) => score.most),
      ],
    },
  ],
};
