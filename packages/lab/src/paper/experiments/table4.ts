import { formatRatio, markdownTable } from "@gridlock/report";
import type { PaperTable4Output } from "@gridlock/schemas";
import { experimentOf } from "../../experiment.js";
import { TABLE_4 } from "../published.js";
import { PAPER_PROGRAM } from "../techniques.js";
import { DEEPEST, GAME_3X3, nodesOf, range, roundSeconds, START_3X3 } from "./common.js";

/** Table 4: 3×3 to depths 11 to 20 with the branching factor, and on to depth 30. */
export const table4 = experimentOf<PaperTable4Output>({
  name: "table4",
  title: "Table 4: 3×3 to depths 11 to 20, and on to 30",
  summary: "3x3 to depths 11 to 30 with branching factors",
  async measure(bench) {
    const { firstDepth, nodes, seconds } = TABLE_4;
    const depths = range(firstDepth - 1, DEEPEST);
    const results = await bench.run("searchDepths", {
      game: GAME_3X3,
      board: START_3X3,
      techniques: PAPER_PROGRAM,
      depths,
    });
    const rows = results.slice(1).map((ours, i) => {
      const paper = nodes[i] && { nodes: nodes[i], seconds: seconds[i] as number };
      const before = results[i];
      if (!before) throw new Error("a search is missing");
      return { depth: firstDepth + i, ours, branching: nodesOf(ours) / nodesOf(before), paper };
    });
    const first = results[0];
    const last = results.at(-1);
    if (!first || !last) throw new Error("a search is missing");
    const average = (nodesOf(last) / nodesOf(first)) ** (1 / (results.length - 1));
    const text = `
From \`${START_3X3}\`, with all techniques, fixed ordering, and the order of moves of [Table 3](table3.md). The branching
factor is the nodes over those of the depth before. (By the paper's own nodes, what it prints for depths 11 to 16, from 2.02
to 1.13, are the factors of depths 12 to 17; its 1.11 for depth 17 fits no two depths; from 18 on they are right.)

${markdownTable(
  ["depth", "value", "nodes", "nodes (paper)", "ratio", "branching", "seconds", "seconds (paper)"],
  rows.map(({ depth, ours, branching, paper }) => [
    depth,
    ours.value,
    nodesOf(ours),
    paper ? paper.nodes : undefined,
    paper ? formatRatio(nodesOf(ours), paper.nodes) : undefined,
    Number(branching.toFixed(2)),
    roundSeconds(ours.seconds),
    paper ? paper.seconds : undefined,
  ]),
)}

Averaged over depths ${depths[0]} to ${DEEPEST}, each further move takes ${average.toFixed(2)} times the nodes.`;
    return { text, data: { start: START_3X3, averageBranching: average, rows } };
  },
  draw: ({ rows }) => [
    {
      name: "table4",
      title: "3×3 by depth, all techniques",
      x: { name: "depth" },
      y: { name: "nodes generated", log: true },
      series: [
        { name: "here", points: rows.map(({ depth, ours }) => [depth, nodesOf(ours)]) },
        {
          name: "paper",
          points: rows.flatMap(({ depth, paper }) =>
            paper ? [[depth, paper.nodes] as const] : [],
          ),
          dashed: true,
        },
      ],
    },
  ],
});
