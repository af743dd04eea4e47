import { formatShape, parseShape, type Shape } from "@gridlock/game";
import { type Chart, drawChart, formatPoints, markdownTable } from "@gridlock/report";
import type { Assessment } from "../exact/assess.js";
import { allStrategies } from "../strategy.js";
import type { PlayersExperiment } from "./experiment.js";
import { rankingTable } from "./ranking.js";

/** Players that choose for all images of a board alike, and so can be assessed together. */
const SYMMETRIC = ["perfect", ...allStrategies()];
/** Others; those that search take long on 3×3. */
const OTHERS = ["perfect-ordinary", "greedy"];
const SEARCHING = ["estimate", "gradient:2", "zaky-minimax:4", "zaky-expectimax:2"];

const SHAPES: readonly (readonly [shape: Shape, others: readonly string[]])[] = [
  [parseShape("2x3"), [...OTHERS, ...SEARCHING]],
  [parseShape("2x4"), [...OTHERS, ...SEARCHING]],
  [parseShape("3x3"), OTHERS],
];

/** A player's exact scores on a shape; those against a placer are means over the starts. */
interface Row {
  readonly player: string;
  readonly expected: number;
  readonly heldTo: number;
  readonly heldToWorstTie: number;
}

/** What players score exactly, in the ordinary game and against the worst placer. */
export const exact: PlayersExperiment = {
  name: "exact",
  title: "Players measured exactly: the ordinary game, and the worst placer",
  async run(bench) {
    const shapes: { shape: string; rows: Row[] }[] = [];
    for (const [shape, others] of SHAPES) {
      const rows = (await bench.assess(SYMMETRIC, shape)).map(rowOf);
      for (const player of others) rows.push(...(await bench.assess([player], shape)).map(rowOf));
      rows.sort((a, b) => b.expected - a.expected);
      shapes.push({ shape: formatShape(shape), rows });
    }
    const text = `
*Expected* is the expected score of the ordinary game from two random tiles. *Held to* is what a placer that knows the
player, and answers as badly for it as can be, leaves it on average if it breaks ties at random; *worst tie* what it leaves if ties go against
the player as well. Both are means over the starts, each of which counts once. *Gap* is the value of the game, which is what \`perfect\` is held
to, less what the player is held to. No number here is an estimate: each is computed over all positions that the
player can reach.

${shapes.map(({ shape, rows }) => section(shape, rows)).join("\n\n")}`;
    const last = shapes.at(-1) as (typeof shapes)[number];
    return { text, pictures: [await drawChart(chartOf(last.shape, last.rows))], data: { shapes } };
  },
};

function rowOf({ player, expected, starts }: Assessment): Row {
  const mean = (of: (start: (typeof starts)[number]) => number) =>
    starts.reduce((sum, start) => sum + of(start), 0) / starts.length;
  return {
    player,
    expected,
    heldTo: mean(({ heldTo }) => heldTo),
    heldToWorstTie: mean(({ heldToWorstTie }) => heldToWorstTie),
  };
}

function section(shape: string, rows: readonly Row[]): string {
  const rowNamed = (name: string) => rows.find(({ player }) => player === name) as Row;
  const value = rowNamed("perfect").heldTo;
  const optimum = rowNamed("perfect-ordinary").expected;
  const ranked = rows.filter(({ player }) => allStrategies().includes(player));
  return `
## ${shape}

The optimum of the ordinary game is ${formatPoints(optimum)} points, the mean value of the starts ${formatPoints(value)}.

${markdownTable(
  ["player", "expected", "of the optimum", "held to", "worst tie", "gap"],
  rows.map(({ player, expected, heldTo, heldToWorstTie }) => [
    player,
    formatPoints(expected),
    `${((100 * expected) / optimum).toFixed(1)} %`,
    formatPoints(heldTo),
    formatPoints(heldToWorstTie),
    formatPoints(value - heldTo),
  ]),
  [1, 2, 3, 4, 5],
)}

The paper's ranking of its strategies, by their expected scores here:

${rankingTable(ranked.map(({ player, expected }) => ({ player, mean: expected })))}`.trim();
}

function chartOf(shape: string, rows: readonly Row[]): Chart {
  const points = (of: (row: Row) => boolean) =>
    rows.filter(of).map(({ expected, heldTo }) => [heldTo, expected] as const);
  const isStrategy = ({ player }: Row) => allStrategies().includes(player);
  const has = (letter: string) => (row: Row) => isStrategy(row) && row.player.includes(letter);
  return {
    name: "exact",
    title: `${shape}: expected score, and what a placer holds the player to`,
    kind: "points",
    x: { name: "held to (mean over the starts)" },
    y: { name: "expected score" },
    series: [
      { name: "strategies with m", points: points(has("m")) },
      { name: "with e, not m", points: points((row) => has("e")(row) && !has("m")(row)) },
      {
        name: "with neither",
        points: points((row) => isStrategy(row) && !/[em]/.test(row.player)),
      },
      ...rows
        .filter((row) => !isStrategy(row))
        .map((row) => ({ name: row.player, points: points((other) => other === row) })),
    ],
  };
}
