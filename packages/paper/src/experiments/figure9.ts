import type { Tiles } from "@gridlock/game";
import { drawChart } from "../chart.js";
import type { Experiment } from "../experiment.js";
import { markdownTable, ratio } from "../markdown.js";
import { FIGURE_9 } from "../published.js";
import { PAPER_BEST } from "../techniques.js";
import { nodesOf } from "./common.js";

/** Figure 9: the twenty starts of 3×2, with 2s and 4s, and with 2s only. */
export const figure9: Experiment = {
  name: "figure9",
  title: "Figure 9: the twenty starts of 3×2",
  summary: "the twenty starts of 3x2, with both tile sets",
  async run(bench) {
    const search = (tiles: Tiles) =>
      bench.run("searchBoards", {
        game: { shape: { rows: 3, cols: 2 }, tiles },
        techniques: { ...PAPER_BEST, ordering: "heuristic" },
        boards: FIGURE_9.map(({ board }) => board),
      });
    const [both, twos] = await Promise.all([search([2, 4]), search([2])]);
    const rows = FIGURE_9.map((paper, i) => {
      const ours = both[i];
      const oursOf2s = twos[i];
      if (!ours || !oursOf2s) throw new Error("a search is missing");
      return { paper, ours, oursOf2s };
    });
    const headings = [
      "start",
      "value",
      "value (paper)",
      "end state",
      "end state (paper)",
      "nodes",
      "nodes (paper)",
      "ratio",
    ];
    const wrong = rows.filter(
      ({ paper, ours, oursOf2s }) =>
        ours.value !== paper.value || oursOf2s.value !== paper.valueOf2s,
    );
    const text = `
All techniques with the heuristic ordering, as in the paper, to the end of the game. ${
      wrong.length === 0
        ? "All forty values agree with the paper's."
        : `${wrong.length} starts differ from the paper's.`
    } End states differ where several are worth the same.

With 2s and 4s:

${markdownTable(
  headings,
  rows.map(({ paper, ours }) => [
    `\`${paper.board}\``,
    ours.value,
    paper.value,
    `\`${ours.end}\``,
    `\`${paper.end}\``,
    nodesOf(ours),
    paper.nodes,
    ratio(nodesOf(ours), paper.nodes),
  ]),
)}

With 2s only:

${markdownTable(
  headings,
  rows.map(({ paper, oursOf2s }) => [
    `\`${paper.board}\``,
    oursOf2s.value,
    paper.valueOf2s,
    `\`${oursOf2s.end}\``,
    `\`${paper.endOf2s}\``,
    nodesOf(oursOf2s),
    paper.nodesOf2s,
    ratio(nodesOf(oursOf2s), paper.nodesOf2s),
  ]),
)}

(The paper draws the start \`0 0/2 0/4 0\` twice, with values of 44 and 40, and \`4 0/0 2/0 0\` not at all; the second is taken for that
one.)`;
    const bars = (name: string, of: (row: (typeof rows)[number]) => number) => ({
      name,
      points: rows.map((row, i) => [i, of(row)] as const),
    });
    const chart = await drawChart({
      name: "figure9",
      title: "3×2 to the end of the game",
      kind: "bars",
      x: { name: "start", categories: rows.map((_, i) => String(i + 1)) },
      y: { name: "nodes generated" },
      series: [
        bars("2s and 4s", ({ ours }) => nodesOf(ours)),
        bars("2s and 4s (paper)", ({ paper }) => paper.nodes),
        bars("2s only", ({ oursOf2s }) => nodesOf(oursOf2s)),
        bars("2s only (paper)", ({ paper }) => paper.nodesOf2s),
      ],
    });
    return { text, pictures: [chart], data: { rows } };
  },
};
