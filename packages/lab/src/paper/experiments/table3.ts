import { formatNumber, formatRatio, markdownTable } from "@gridlock/report";
import type { PaperTable3Output } from "@gridlock/schemas";
import { experimentOf } from "../../experiment.js";
import type { OrderSpread } from "../../tasks.js";
import { MOVE_ORDERS } from "../move-order.js";
import { TABLE_3 } from "../published.js";
import { BASELINE, PAPER_BEST, PAPER_PROGRAM } from "../techniques.js";
import { GAME_3X3, nodesOf, range, roundSeconds, START_3X3 } from "./common.js";

/** Plain minimax generates every board of the tree: 4.6 million at this depth, 19 million at the next. */
const DEEPEST_MINIMAX = 8;

/** Table 3: 3×3 to depths 6 to 10, beside the baseline. */
export const table3 = experimentOf<PaperTable3Output>({
  name: "table3",
  title: "Table 3: 3×3 to depths 6 to 10",
  summary: "3x3 to depths 6 to 10, beside the baseline",
  async measure(bench) {
    const { firstDepth, nodes, baseline, seconds, baselineSeconds } = TABLE_3;
    const depths = range(firstDepth, firstDepth + nodes.length - 1);
    const setup = { game: GAME_3X3, board: START_3X3 };
    const [best, alphaBeta, minimax, bestSpread, baselineSpread] = await Promise.all([
      bench.run("searchDepths", { ...setup, techniques: PAPER_PROGRAM, depths }),
      bench.run("searchDepths", { ...setup, techniques: BASELINE, depths }),
      bench.run("searchDepths", {
        ...setup,
        techniques: { ...BASELINE, pruning: "none" },
        depths: depths.filter((depth) => depth <= DEEPEST_MINIMAX),
      }),
      bench.run("searchInAllOrders", { ...setup, techniques: PAPER_BEST, depths }),
      bench.run("searchInAllOrders", {
        ...setup,
        techniques: BASELINE,
        depths: depths.filter((depth) => depth <= DEEPEST_MINIMAX),
      }),
    ]);
    const rows = depths.map((depth, i) => {
      const ours = best[i];
      const plain = alphaBeta[i];
      const spread = bestSpread[i];
      if (!ours || !plain || !spread) throw new Error("a search is missing");
      const paper = {
        nodes: nodes[i] as number,
        baseline: baseline[i] as number,
        seconds: seconds[i] as number,
        baselineSeconds: baselineSeconds[i] as number,
      };
      return {
        depth,
        ours,
        alphaBeta: plain,
        minimax: minimax[i],
        paper,
        allOrders: { ours: spread, alphaBeta: baselineSpread[i] },
      };
    });
    const text = `
From \`${START_3X3}\`, with all techniques, fixed ordering, and the order of moves for which the counts are the paper's:
slides left, down, right, up; all 4s in reading order, then all 2s. *Over all orders* are the fewest and the most nodes of the
${MOVE_ORDERS.length} orders of slides, of 4s and 2s, and of cells forward or back.

${markdownTable(
  [
    "depth",
    "value",
    "nodes",
    "nodes (paper)",
    "ratio",
    "over all orders",
    "seconds",
    "seconds (paper)",
  ],
  rows.map(({ depth, ours, paper, allOrders }) => [
    depth,
    ours.value,
    nodesOf(ours),
    paper.nodes,
    formatRatio(nodesOf(ours), paper.nodes),
    formatSpread(allOrders.ours),
    roundSeconds(ours.seconds),
    paper.seconds,
  ]),
)}

The baseline, with no table, leaves worth their score, and the same order of moves:

${markdownTable(
  [
    "depth",
    "minimax",
    "alpha-beta",
    "over all orders",
    "Bill (paper)",
    "ratio",
    "seconds",
    "seconds of Bill (paper)",
  ],
  rows.map(({ depth, alphaBeta: plain, minimax: all, paper, allOrders }) => [
    depth,
    all && nodesOf(all),
    nodesOf(plain),
    formatSpread(allOrders.alphaBeta),
    paper.baseline,
    formatRatio(nodesOf(plain), paper.baseline),
    roundSeconds(plain.seconds),
    paper.baselineSeconds,
  ]),
)}

Bill's order of moves is not known; its counts are at the lower end of what the orders tried here give.`;
    return { text, data: { start: START_3X3, rows } };
  },
  draw: ({ rows }) => [
    {
      name: "table3",
      title: "3×3 by depth, beside the baseline",
      x: { name: "depth" },
      y: { name: "nodes generated", log: true },
      series: [
        { name: "all techniques", points: rows.map((row) => [row.depth, nodesOf(row.ours)]) },
        {
          name: "all techniques (paper)",
          points: rows.map((row) => [row.depth, row.paper.nodes]),
          dashed: true,
        },
        { name: "alpha-beta", points: rows.map((row) => [row.depth, nodesOf(row.alphaBeta)]) },
        {
          name: "Bill (paper)",
          points: rows.map((row) => [row.depth, row.paper.baseline]),
          dashed: true,
        },
        {
          name: "minimax",
          points: rows.flatMap((row) =>
            row.minimax ? [[row.depth, nodesOf(row.minimax)] as const] : [],
          ),
        },
      ],
    },
  ],
});

function formatSpread(spread: OrderSpread | undefined): string | undefined {
  return spread && `${formatNumber(spread.fewest)} to ${formatNumber(spread.most)}`;
}
