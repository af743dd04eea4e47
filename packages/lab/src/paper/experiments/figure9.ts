import type { Tiles } from "@gridlock/game";
import { bars } from "@gridlock/report";
import type { PaperFigure9Output } from "@gridlock/schemas";
import type { Experiment } from "../../experiment.js";
import { FIGURE_9 } from "../published.js";
import { PAPER_BEST } from "../techniques.js";
import { boardLabel, nodesOf, startsTable } from "./common.js";

/** Figure 9: the twenty starts of 3×2, with 2s and 4s, and with 2s only. */
export const figure9: Experiment<PaperFigure9Output> = {
  name: "figure9",
  title: "Figure 9: the twenty starts of 3×2",
  summary: "the twenty starts of 3x2, with both tile sets",
  async measure(bench) {
    const search = (tiles: Tiles) =>
      bench.run("searchBoards", {
        game: { shape: { rows: 3, cols: 2 }, tiles },
        techniques: { ...PAPER_BEST, ordering: "heuristic" },
        boards: FIGURE_9.map(({ board }) => board),
      });
    const [both, twos] = await Promise.all([search([2, 4]), search([2])]);
    type Result = (typeof both)[number];
    const rows = FIGURE_9.map(({ board, ...paper }, i) => ({
      both: { board, ours: both[i] as Result, paper: paper.both },
      twos: { board, ours: twos[i] as Result, paper: paper.twos },
    }));
    const wrong = rows
      .flatMap((row) => [row.both, row.twos])
      .filter(({ ours, paper }) => ours.value !== paper.value);
    const text = `
All techniques with the heuristic ordering, as in the paper, to the end of the game. ${
      wrong.length === 0
        ? "All forty values agree with the paper's."
        : `${wrong.length} values differ from the paper's.`
    } End states differ where several are worth the same.

With 2s and 4s:

${startsTable(rows.map((row) => row.both))}

With 2s only:

${startsTable(rows.map((row) => row.twos))}

(The paper draws the start \`0 0/2 0/4 0\` twice, with values of 44 and 40, and \`4 0/0 2/0 0\` not at all; the second is read as that
one.)`;
    return { text, data: { rows } };
  },
  draw: ({ rows }) => [
    {
      name: "figure9",
      title: "3×2 to the end of the game",
      kind: "bars",
      x: { name: "start", categories: rows.map(({ both }) => boardLabel(both.board)) },
      y: { name: "nodes generated" },
      series: [
        bars("2s and 4s", rows, ({ both }) => nodesOf(both.ours)),
        bars("2s and 4s (paper)", rows, ({ both }) => both.paper.nodes),
        bars("2s only", rows, ({ twos }) => nodesOf(twos.ours)),
        bars("2s only (paper)", rows, ({ twos }) => twos.paper.nodes),
      ],
    },
  ],
};
