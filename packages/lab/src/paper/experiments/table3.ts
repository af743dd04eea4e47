import { formatNumber, formatRatio, tableOf } from "@gridlock/report";
import type { PaperSearchResult, PaperTable3Output } from "@gridlock/schemas";
import type { Experiment } from "../../experiment.js";
import type { OrderSpread } from "../../tasks.js";
import { MOVE_ORDERS } from "../move-order.js";
import { TABLE_3 } from "../published.js";
import { BASELINE, PAPER_BEST, PAPER_PROGRAM } from "../techniques.js";
import { depthSeries, GAME_3X3, nodesOf, range, roundSeconds, START_3X3 } from "./common.js";

/** Plain minimax generates every board: 4.6 million at this depth, 19 million at the next. */
const DEEPEST_MINIMAX = 8;

/** Table 3: 3×3 to depths 6 to 10, beside the baseline. */
export const table3: Experiment<PaperTable3Output> = {
  name: "table3",
  title: "Table 3: 3×3 to depths 6 to 10",
  summary: "3x3 to depths 6 to 10, beside the baseline",
  async measure(bench) {
    const { firstDepth, nodes, baseline, seconds, baselineSeconds } = TABLE_3;
    const depths = range(firstDepth, firstDepth + nodes.length - 1);
    const setup = { game: GAME_3X3, board: START_3X3, depths };
    const shallow = { ...setup, depths: depths.filter((depth) => depth <= DEEPEST_MINIMAX) };
    const [best, alphaBeta, minimax, bestSpread, baselineSpread] = await Promise.all([
      bench.run("searchDepths", { ...setup, techniques: PAPER_PROGRAM }),
      bench.run("searchDepths", { ...setup, techniques: BASELINE }),
      bench.run("searchDepths", { ...shallow, techniques: { ...BASELINE, pruning: "none" } }),
      bench.run("searchInAllOrders", { ...setup, techniques: PAPER_BEST }),
      bench.run("searchInAllOrders", { ...shallow, techniques: BASELINE }),
    ]);
    const rows = depths.map((depth, i) => ({
      depth,
      ours: best[i] as PaperSearchResult,
      alphaBeta: alphaBeta[i] as PaperSearchResult,
      minimax: minimax[i],
      paper: {
        nodes: nodes[i] as number,
        baseline: baseline[i] as number,
        seconds: seconds[i] as number,
        baselineSeconds: baselineSeconds[i] as number,
      },
      allOrders: { ours: bestSpread[i] as OrderSpread, alphaBeta: baselineSpread[i] },
    }));
    const text = `
From \`${START_3X3}\`, with all techniques, fixed ordering, and the order of moves for which the counts are the paper's:
slides left, down, right, up; all 4s in reading order, then all 2s. *Over all orders* are the fewest and the most nodes of the
${MOVE_ORDERS.length} orders of slides, of 4s and 2s, and of cells forward or back.

${tableOf(rows, [
  ["depth", ({ depth }) => depth],
  ["value", ({ ours }) => ours.value],
  ["nodes", ({ ours }) => nodesOf(ours)],
  ["nodes (paper)", ({ paper }) => paper.nodes],
  ["ratio", ({ ours, paper }) => formatRatio(nodesOf(ours), paper.nodes)],
  ["over all orders", ({ allOrders }) => formatSpread(allOrders.ours)],
  ["seconds", ({ ours }) => roundSeconds(ours.seconds)],
  ["seconds (paper)", ({ paper }) => paper.seconds],
])}

The baseline, with no table, leaves worth their score, and the same order of moves:

${tableOf(rows, [
  ["depth", ({ depth }) => depth],
  ["minimax", ({ minimax }) => minimax && nodesOf(minimax)],
  ["alpha-beta", ({ alphaBeta }) => nodesOf(alphaBeta)],
  ["over all orders", ({ allOrders }) => formatSpread(allOrders.alphaBeta)],
  ["Bill (paper)", ({ paper }) => paper.baseline],
  ["ratio", ({ alphaBeta, paper }) => formatRatio(nodesOf(alphaBeta), paper.baseline)],
  ["seconds", ({ alphaBeta }) => roundSeconds(alphaBeta.seconds)],
  ["seconds of Bill (paper)", ({ paper }) => paper.baselineSeconds],
])}

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
        depthSeries("all techniques", rows, ({ ours }) => nodesOf(ours)),
        depthSeries("all techniques (paper)", rows, ({ paper }) => paper.nodes, true),
        depthSeries("alpha-beta", rows, ({ alphaBeta }) => nodesOf(alphaBeta)),
        depthSeries("Bill (paper)", rows, ({ paper }) => paper.baseline, true),
        depthSeries("minimax", rows, ({ minimax }) => minimax && nodesOf(minimax)),
      ],
    },
  ],
};

function formatSpread(spread: OrderSpread | undefined): string | undefined {
  return spread && `${formatNumber(spread.fewest)} to ${formatNumber(spread.most)}`;
}
