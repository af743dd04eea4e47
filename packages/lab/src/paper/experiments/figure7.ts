import { type Column, formatNumber, tableOf } from "@gridlock/report";
import type { PaperFigure7Output } from "@gridlock/schemas";
import type { Experiment } from "../../experiment.js";
import { ORDERINGS, PAPER_BEST } from "../techniques.js";
import {
  CHART_DEPTHS,
  chartsOverDepth,
  curvesOf,
  DEEPEST_PUBLISHED,
  nodesOf,
  resultAt,
  START_3X3,
} from "./common.js";

/** The orderings' names in legends. */
export const ORDERING_NAMES = {
  fixed: "fixed",
  heuristic: "heuristic",
  mixed: "mixed",
  deepening: "iterative deepening",
  "table-move": "table's best move",
  "lbhsv-move": "LBHSV's best move",
} as const;

/** Figure 7: the orderings on 3×3, and the three that the paper names without trying them. */
export const figure7: Experiment<PaperFigure7Output> = {
  name: "figure7",
  title: "Figure 7: orderings on 3×3",
  summary: "six orderings of the moves on 3x3 over depth",
  async measure(bench) {
    const setups = ORDERINGS.map((ordering) => ({
      name: ORDERING_NAMES[ordering],
      techniques: { ...PAPER_BEST, ordering },
    }));
    const curves = await curvesOf(bench, setups);
    const table = tableOf(
      CHART_DEPTHS.filter((depth) => depth % 2 === 0 || depth > DEEPEST_PUBLISHED),
      [
        ["depth", (depth) => depth],
        ...curves.map(
          (curve): Column<number> => [curve.name, (depth) => nodesOf(resultAt(curve, depth))],
        ),
      ],
    );
    const tried = curves
      .slice(0, 3)
      .map((curve) => `${curve.name} ${formatNumber(nodesOf(resultAt(curve, DEEPEST_PUBLISHED)))}`);
    const text = `
All techniques from \`${START_3X3}\`, with six orderings of the moves. The paper's three: *fixed*, 4s before 2s; *heuristic*, all
moves by LBHSV; *mixed*, the slider's by LBHSV and the placer's fixed. The three that it names and did not try: *iterative
deepening*, by the table's contents after a search two moves shallower, whose nodes are counted too; the *table's best
move* first, the rest fixed; *LBHSV's best move* first among slides, the rest fixed.

Nodes generated:

${table}

The paper has only curves here, to depth ${DEEPEST_PUBLISHED}, and says that mixed ordering generates the fewest nodes and that
heuristic ordering may generate more. At depth ${DEEPEST_PUBLISHED}: ${tried.join(", ")}. To the end of the game the
ranking differs: see [the full solution](solution.md).`;
    return { text, data: { start: START_3X3, curves } };
  },
  draw: ({ curves }) => chartsOverDepth("figure7", "Orderings on 3×3", curves),
};
