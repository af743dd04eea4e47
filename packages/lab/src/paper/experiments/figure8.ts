import { formatNumber, formatRatio, markdownTable, tableOf } from "@gridlock/report";
import type { PaperFigure8Output, PaperSearchResult } from "@gridlock/schemas";
import type { Experiment } from "../../experiment.js";
import { COMBINATIONS, PAPER_BEST } from "../techniques.js";
import {
  chartsOverDepth,
  curvesOf,
  DEEPEST,
  DEEPEST_PUBLISHED,
  type DepthCurve,
  nodesOf,
  pruningColumns,
  range,
  resultAt,
  START_3X3,
} from "./common.js";

/** Besides the paper's five: one that it describes but does not draw, and sound variants. */
const MORE = [
  {
    name: "best, all images stored",
    techniques: { ...PAPER_BEST, table: "all-images" },
  },
  { name: "best, sound LBHSV", techniques: { ...PAPER_BEST, value: "sound" } },
  { name: "best, footnote 1", techniques: { ...PAPER_BEST, footnote: true } },
] as const;

/** Figure 8: the paper's combinations of techniques on 3×3. */
export const figure8: Experiment<PaperFigure8Output> = {
  name: "figure8",
  title: "Figure 8: combinations of techniques on 3×3",
  summary: "combinations of techniques on 3x3 over depth",
  async measure(bench) {
    const curves = await curvesOf(bench, [...COMBINATIONS, ...MORE]);
    const best = curves[0] as DepthCurve;
    const comparison = (depth: number) =>
      tableOf(
        curves.map((curve) => ({ name: curve.name, result: resultAt(curve, depth) })),
        [
          ["techniques", ({ name }) => name],
          ["value", ({ result }) => result.value],
          ["nodes", ({ result }) => nodesOf(result)],
          [
            "of the best",
            ({ result }) => formatRatio(nodesOf(result), nodesOf(resultAt(best, depth))),
          ],
          ["seconds", ({ result }) => Number(result.seconds.toFixed(2))],
          ...pruningColumns<{ result: PaperSearchResult }>(({ result }) => result),
        ],
      );
    /** Returns a combination's node counts relative to the best one's, over the paper's depths. */
    const times = (name: string) => {
      const curve = curves.find((curve) => curve.name === name) as DepthCurve;
      const ratios = range(6, DEEPEST_PUBLISHED).map(
        (depth) => nodesOf(resultAt(curve, depth)) / nodesOf(resultAt(best, depth)),
      );
      const mean = Math.exp(ratios.reduce((sum, r) => sum + Math.log(r), 0) / ratios.length);
      return `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)} times, ${mean.toFixed(2)} in the mean`;
    };
    const immediate = range(6, DEEPEST_PUBLISHED).reduce(
      (sum, depth) => sum + resultAt(best, depth).prunings.immediate,
      0,
    );
    const text = `
From \`${START_3X3}\`, fixed ordering. The paper's five combinations, and three more: symmetric boards stored under all images;
LBHSV in its sound form; the paper's footnote 1 (an exact value of a shallower search is a lower bound), which its program
does not seem to have used. Prunings are counted by reason: lower-bound pruning as in the
paper's Figures 3 (immediate), 4 (shallow) and 5 (deep), alpha-beta, and the table.

At depth ${DEEPEST_PUBLISHED}:

${comparison(DEEPEST_PUBLISHED)}

At depth ${DEEPEST}:

${comparison(DEEPEST)}

The paper's claims, over its depths 6 to ${DEEPEST_PUBLISHED} (the mean is the geometric one):

${markdownTable(
  ["claim", "nodes here"],
  [
    ["with the score in place of LBHSV, about twice the nodes", times("AB&LB with Sym-Ttable")],
    ["without lower-bound pruning, more nodes", times("AB with Sym-Ttable with LBHSV")],
    ["without symmetry, about four times the nodes", times("AB&LB with Ttable with LBHSV")],
    ["with neither symmetry nor LBHSV, worst of all", times("AB&LB with Ttable")],
    ["immediate pruning is rare", `${formatNumber(immediate)} in all fifteen searches of the best`],
  ],
)}

The paper's times are those of a Python program. Here the table of LBHSV is filled as boards are met.`;
    return { text, data: { start: START_3X3, curves } };
  },
  draw: ({ curves }) => chartsOverDepth("figure8", "Combinations of techniques on 3×3", curves),
};
