import { fewestPoints, mostPoints } from "@gridlock/game";
import { bars, tableOf } from "@gridlock/report";
import type { PaperTable1Output } from "@gridlock/schemas";
import type { Experiment } from "../../experiment.js";
import { TABLE_1 } from "../published.js";

/** Table 1: the fewest and the most points that making a tile can have earned. */
export const table1: Experiment<PaperTable1Output> = {
  name: "table1",
  title: "Table 1: the points that making a tile earns",
  summary: "the fewest and the most points that making a tile earns",
  async measure() {
    const rows = TABLE_1.map(([tile, least, most]) => ({
      tile,
      least: fewestPoints(tile),
      most: mostPoints(tile),
      paper: { least, most },
    }));
    const table = tableOf(rows, [
      ["tile", ({ tile }) => tile],
      ["N_lo", ({ least }) => least],
      ["N_lo (paper)", ({ paper }) => paper.least],
      ["N_up", ({ most }) => most],
      ["N_up (paper)", ({ paper }) => paper.most],
    ]);
    const agree = rows.every((row) => row.least === row.paper.least && row.most === row.paper.most);
    const text = `
A tile X is made from two tiles X/2 and earns X, so N(X) = 2·N(X/2) + X. If every 4 was placed, N(4) = 0
and N_lo(2^k) = (k − 2)·2^k; if every 4 was merged, N(4) = 4 and N_up(2^k) = (k − 1)·2^k.

${table}

${agree ? "All values agree with the paper's." : "Some values differ from the paper's."}`;
    return { text, data: { rows } };
  },
  draw: ({ rows }) => [
    {
      name: "table1",
      title: "Points that making a tile earns",
      kind: "bars",
      x: { name: "tile", categories: rows.map(({ tile }) => String(tile)) },
      y: { name: "points", log: true },
      series: [bars("N_lo", rows, ({ least }) => least), bars("N_up", rows, ({ most }) => most)],
    },
  ],
};
