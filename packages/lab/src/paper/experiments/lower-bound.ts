import {
  type Board,
  cellCount,
  DIRECTIONS,
  formatBoard,
  formatPlacement,
  formatShape,
  type Game,
  type Node,
  parseBoard,
  parseShape,
  placements,
  slides,
} from "@gridlock/game";
import { type Chart, drawStrips, type Frame, formatNumber, tableOf } from "@gridlock/report";
import type { PaperLowerBoundOutput } from "@gridlock/schemas";
import { Grid } from "../../enumeration/grid.js";
import type { Experiment } from "../../experiment.js";
import type { BoundReport } from "../bound.js";
import { Lbhsv } from "../lbhsv.js";
import { PaperSearch } from "../search.js";
import { PAPER_BEST } from "../techniques.js";

type Violation = BoundReport["violations"][number];

/** The shapes that are small enough for a sweep of all boards, the smallest first. */
const SHAPES = ["1x3", "1x4", "2x2", "1x5", "2x3", "2x4", "3x3"].map(parseShape);

/** Approximate number of boards on which Algorithm 1 is run; on shapes of up to 6 cells, all. */
const SAMPLE = 6_000;

/** Most nodes that each of those searches may generate. */
const MOST_NODES = 10_000;

const GAME_2X3: Game = { shape: { rows: 2, cols: 3 }, tiles: [2, 4] };

/** The greatest depth for which the paper's footnote 1 is tested: deep enough to see it fail. */
const FOOTNOTE_DEPTH = 5;

/**
 * LBHSV is not a lower bound: the boards for which it claims too much, the excess, and the
 * consequences.
 */
export const lowerBound: Experiment<PaperLowerBoundOutput> = {
  name: "lower-bound",
  title: "LBHSV is not a lower bound",
  summary: "where LBHSV claims more than can be forced, and the consequences",
  settings: ["seed"],
  async measure(bench) {
    const examining = Promise.all(
      SHAPES.map((shape) =>
        bench.run("examineBound", {
          shape,
          sample: cellCount(shape) <= 6 ? Number.POSITIVE_INFINITY : SAMPLE,
          seed: bench.settings.seed,
          mostNodes: MOST_NODES,
        }),
      ),
    );
    const footnotes = await Promise.all(
      (["score", "sound", "printed"] as const).map((value) =>
        bench.run("tryFootnote", { game: GAME_2X3, value, deepest: FOOTNOTE_DEPTH }),
      ),
    );
    const reports = await examining;
    const smallest = reports.find(({ violations }) => violations.length > 0) as BoundReport;
    const example = smallest.violations[0] as Violation;
    const story = tell(example);
    const text = `
LBHSV (Algorithm 2) is meant to be a score that the slider gets whatever is placed. A sweep of all boards finds the exact value of
every afterstate that play from a start can reach. Four forms of LBHSV are compared with it:

- *printed*: as in the paper's text, equal neighbours behind an empty cell earn their merge (its Figure 6);
- *printed, runs only*: only tiles with no empty cell before the wall merge, another reading of the
  pseudo-code;
- *sound*: runs only, and the last tile of a run before an empty cell is dropped unless it has just
  merged, since it may merge with a tile placed there;
- *sound, with merges behind*: the same with the merges behind an empty cell.

The number of afterstates on which each form exceeds the value, the largest excess, and the number on which it equals the value:

${tableOf(reports, [
  ["shape", ({ shape }) => formatShape(shape)],
  ["afterstates", ({ afterstates }) => afterstates],
  ["printed", ({ forms }) => forms[0]?.exceeds],
  ["by at most", ({ forms }) => forms[0]?.mostExcess],
  ["printed, runs only", ({ forms }) => forms[1]?.exceeds],
  ["by at most", ({ forms }) => forms[1]?.mostExcess],
  ["sound", ({ forms }) => forms[2]?.exceeds],
  ["sound, behind", ({ forms }) => forms[3]?.exceeds],
])}

${tableOf(reports, [
  ["shape", ({ shape }) => formatShape(shape)],
  ["exact: printed", ({ forms }) => forms[0]?.equals],
  ["exact: printed, runs only", ({ forms }) => forms[1]?.equals],
  ["exact: sound", ({ forms }) => forms[2]?.equals],
  ["exact: sound, behind", ({ forms }) => forms[3]?.equals],
])}

## The smallest counterexample

No shape of fewer cells has one. Of the ${smallest.violations.length} on ${formatShape(smallest.shape)}, the one with the smallest tile
sum is \`${example.board}\`: LBHSV says ${example.claimed}, and the slider can force ${example.value}.

${story.text}

All of them:

${tableOf(smallest.violations, [
  ["afterstate", ({ board }) => `\`${board}\``],
  ["value", ({ value }) => value],
  ["LBHSV", ({ claimed }) => claimed],
])}

## Consequences

Algorithm 1 with LBHSV as printed, all techniques and heuristic ordering, run to the end of the game: on all starts; on a sample of positions,
evenly spaced in the order of tile sums; and on the boards that are affected directly: the afterstates on which LBHSV claims
too much, and the positions one slide before them. The starts share a table; every other board has its own and is given up
after ${formatNumber(MOST_NODES)} nodes.

${tableOf(reports, [
  ["shape", ({ shape }) => formatShape(shape)],
  ["starts", ({ starts }) => starts.boards],
  ["wrong", ({ starts }) => starts.wrong.length],
  ["positions searched", ({ sample }) => sample.boards],
  ["one of", ({ sample }) => sample.every],
  ["given up", ({ sample }) => sample.unfinished],
  ["wrong", ({ sample }) => sample.wrong.length],
  ["affected boards searched", ({ affected }) => affected.boards],
  ["one of", ({ affected }) => affected.every],
  ["given up", ({ affected }) => affected.unfinished],
  ["wrong", ({ affected }) => affected.wrong.length],
])}

${consequences(reports)}

## Footnote 1

The paper takes an exact value of a shallower search as a lower bound, "since searching deeper will obtain more scores in this
game". Alpha-beta without a table, on every position of 2×3, to depths 0 to ${FOOTNOTE_DEPTH}: how often the backed-up value of depth
d + 1 is below that of depth d.

${tableOf(footnotes, [
  ["static value of leaves", ({ value }) => (value === "score" ? "score" : `LBHSV, ${value}`)],
  ["pairs of depths", ({ pairs }) => pairs],
  ["decreases", ({ decreases }) => decreases],
  ["first example", ({ example }) => example && `\`${example.board}\``],
  ["values by depth", ({ example }) => example?.values.join(", ")],
])}

With the score, or a sound bound, the footnote holds; with LBHSV as printed it does not.`;
    return { text, data: { counterexample: example, reports, footnotes } };
  },
  draw({ counterexample, reports }) {
    if (counterexample === undefined) return [];
    const chart: Chart = {
      name: "lower-bound",
      title: "By how many points LBHSV as printed exceeds the value",
      kind: "points",
      x: { name: "points too many" },
      y: { name: "afterstates", log: true },
      series: reports
        .filter(({ violations }) => violations.length > 0)
        .map(({ shape, forms }) => ({
          name: formatShape(shape),
          points: forms[0]?.excesses ?? [],
        })),
    };
    return [tell(counterexample).picture, chart];
  },
};

/** Describes the wrong values, and the results that they do not affect. */
function consequences(reports: readonly BoundReport[]): string {
  const wrong = reports.flatMap(({ shape, starts, sample, affected }) =>
    [...starts.wrong, ...sample.wrong, ...affected.wrong].map((found) => ({
      shape: formatShape(shape),
      ...found,
    })),
  );
  if (wrong.length === 0) return "No value came out wrong.";
  return `So unsound pruning does change values. The first wrong values:

${tableOf(wrong.slice(0, 12), [
  ["shape", ({ shape }) => shape],
  ["board", ({ board }) => `\`${board}\``],
  ["value", ({ value }) => value],
  ["found", ({ found }) => found],
])}

${
  reports.every(({ starts }) => starts.wrong.length === 0)
    ? "The values of all starts are nevertheless right."
    : "Some starts are among them."
}`;
}

/** Describes a counterexample in text and picture: the plan of LBHSV, and the placer's replies. */
function tell(example: Violation) {
  const root = parseBoard(example.board);
  const game: Game = { shape: root.board, tiles: [2, 4] };
  const grid = new Grid(game.shape);
  const plan = new Lbhsv(grid, "printed").plan(grid.encode(root.board));
  const planned: Frame[] = plan.map(({ board, score, move }) => ({
    board: grid.decode(board),
    caption: `${DIRECTIONS[move]}: ${score}`,
  }));
  const line = bestLine(root, game);
  const first: Frame = { board: root.board, caption: "placer to move" };
  const picture = drawStrips(
    "counterexample",
    `${example.board}: LBHSV ${example.claimed}, value ${example.value}`,
    [
      {
        heading: `What LBHSV counts on, whatever is in the empty cells: ${example.claimed} points`,
        frames: [first, ...planned],
      },
      { heading: `What the placer holds it to: ${example.value} points`, frames: [first, ...line] },
    ],
  );
  const text = `LBHSV counts on ${plan.map(({ score, move }) => `${DIRECTIONS[move]} for ${score}`).join(", ")}. The line of best play is
${line.map(({ word }) => word).join(" ")}, ending with \`${formatBoard(line.at(-1)?.board ?? root.board)}\`.`;
  return { text, picture };
}

interface Step extends Frame {
  readonly word: string;
}

/** Returns a line of best play from an afterstate to the end of the game, by exact values. */
function bestLine(root: Node, game: Game): Step[] {
  const search = new PaperSearch(game, { ...PAPER_BEST, value: "sound", ordering: "heuristic" });
  const value = (board: Board, turn: Node["turn"]) =>
    search.run({ board, turn }, Number.POSITIVE_INFINITY, { keepTable: true }).value as number;
  const steps: Step[] = [];
  let board = root.board;
  for (;;) {
    const [placed] = placements(board, game.tiles)
      .map((placement) => ({ ...placement, worth: value(placement.board, "slider") }))
      .sort((a, b) => a.worth - b.worth);
    if (placed === undefined) throw new RangeError("an afterstate has an empty cell");
    const word = formatPlacement(game.shape, placed);
    steps.push({ word, caption: `placer: ${word}`, board: placed.board });
    const [best] = slides(placed.board)
      .map((slide) => ({ ...slide, worth: slide.score + value(slide.board, "placer") }))
      .sort((a, b) => b.worth - a.worth);
    if (best === undefined) return steps;
    steps.push({
      word: best.direction,
      caption: `${best.direction}: ${best.score}`,
      board: best.board,
    });
    board = best.board;
  }
}
