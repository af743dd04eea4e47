import { formatShape, type Shape } from "@gridlock/game";
import { allStrategies } from "@gridlock/players";
import { type Chart, formatPercent, formatPoints, tableOf } from "@gridlock/report";
import type { Bench } from "../bench.js";
import type { Assessment, StartScore } from "../exact/assess.js";
import { type Experiment, inTurn } from "../experiment.js";
import { affordable, type PlayersByCells } from "./affordable.js";
import { rankingTable } from "./ranking.js";

/** Programs that search; each takes some ten minutes at most. */
const SEARCHING: PlayersByCells = [
  [6, ["estimate", "gradient:3", "gradient:3:lost", "zaky-minimax:8", "zaky-expectimax:3"]],
  [8, ["gradient:2", "zaky-minimax:4", "zaky-expectimax:2"]],
  [9, ["gradient:1", "zaky-minimax:2", "zaky-expectimax:1"]],
];

/** The best strategies that are listed of each shape but the largest, of which all are. */
const LISTED = 10;

/** A player's exact scores on a shape. */
type Row = ReturnType<typeof rowOf>;

interface Measured {
  readonly shape: string;
  /** The highest expected score first. */
  readonly rows: readonly Row[];
}

/** Players' exact scores, in the ordinary game and against the worst placer. */
export const exact: Experiment<{ shapes: readonly Measured[] }> = {
  name: "exact",
  title: "Players measured exactly: the ordinary game, and the worst placer",
  settings: ["seed", "mostGames", "shapes"],
  async measure(bench) {
    const shapes = await inTurn(bench.settings.shapes, async (shape) => ({
      shape: formatShape(shape),
      rows: await rowsOn(bench, shape),
    }));
    const text = `
*Expected* is the expected score of the ordinary game from two random tiles. *Held to* is the least expected score to
which a placer that knows the player can hold it, averaged over its random ties; *worst tie* is the same if the placer decides
the ties too. Both are means over the starts. *Gap* is the mean value of the starts, to which \`perfect\` is held, less
*held to*. Each number is computed over all positions that the player can reach.

${shapes.map((one, i) => section(one, i === shapes.length - 1)).join("\n\n")}`;
    return { text, data: { shapes } };
  },
  draw: ({ shapes }) => shapes.map(chartOf),
};

async function rowsOn(bench: Bench, shape: Shape): Promise<Row[]> {
  const learned = (await bench.has("ntuple", shape)) ? ["ntuple"] : [];
  const others = ["perfect", "perfect-ordinary", "greedy", ...learned];
  const groups = [
    allStrategies(),
    ...[...others, ...affordable(SEARCHING, shape)].map((player) => [player]),
  ];
  const assessed = await inTurn(groups, (players) => bench.assess(players, shape));
  return assessed
    .flat()
    .map(rowOf)
    .sort((a, b) => b.expected - a.expected);
}

/** Returns a player's scores; of those from the starts, the least, the mean and the most. */
function rowOf({ player, expected, starts }: Assessment) {
  const range = (of: (start: StartScore) => number) => {
    const all = starts.map(of);
    return {
      least: Math.min(...all),
      mean: all.reduce((sum, score) => sum + score, 0) / all.length,
      most: Math.max(...all),
    };
  };
  return {
    player,
    expected,
    heldTo: range(({ heldTo }) => heldTo),
    heldToWorstTie: range(({ heldToWorstTie }) => heldToWorstTie),
  };
}

/** Returns whether a player is one of the 65 strategies. */
const isStrategy = ({ player }: Row) => allStrategies().includes(player);

function section({ shape, rows }: Measured, isLast: boolean): string {
  const rowNamed = (name: string) => rows.find(({ player }) => player === name) as Row;
  const optimum = rowNamed("perfect-ordinary").expected;
  const { heldTo: value } = rowNamed("perfect");
  /** The players of a group score alike; its row has the scores of the first. */
  const table = (head: string, groups: readonly (readonly [Row, ...Row[]])[]) =>
    tableOf(groups, [
      [head, (group) => group.map(({ player }) => player).join(", ")],
      ["expected", ([{ expected }]) => formatPoints(expected), "right"],
      ["of the optimum", ([{ expected }]) => formatPercent(expected / optimum), "right"],
      ["held to", ([{ heldTo }]) => formatPoints(heldTo.mean), "right"],
      ["worst tie", ([{ heldToWorstTie }]) => formatPoints(heldToWorstTie.mean), "right"],
      ["gap", ([{ heldTo }]) => formatPoints(value.mean - heldTo.mean), "right"],
    ]);
  const strategies = rows.filter(isStrategy);
  const groups = groupsOf(strategies);
  const listed = isLast ? groups : groups.slice(0, LISTED);
  return `
## ${shape}

The optimum of the ordinary game is ${formatPoints(optimum)} points. The starts are worth ${value.least} to ${value.most} points
against the placer, ${formatPoints(value.mean)} on average.

${table(
  "player",
  rows
    .filter((row) => !isStrategy(row) || row.player === "emr" || row.player === "r")
    .map((row) => [row]),
)}

${isLast ? "All 65 strategies" : "The best strategies"}, those whose scores differ by less than a hundredth of a point in one row:

${table("strategies", listed)}

The paper's ranking of its strategies, by their expected scores here:

${rankingTable(strategies.map(({ player, expected }) => ({ player, mean: expected })))}`.trim();
}

/** Points by which the scores of players in one row may differ. */
const ALIKE = 0.005;

/** Puts together players that score alike. */
function groupsOf(rows: readonly Row[]): [Row, ...Row[]][] {
  const groups: [Row, ...Row[]][] = [];
  for (const row of rows) {
    const group = groups.find(([first]) => scoresAlike(first, row));
    if (group) group.push(row);
    else groups.push([row]);
  }
  return groups;
}

function scoresAlike(a: Row, b: Row): boolean {
  const scoresOf = (row: Row) => [row.expected, row.heldTo.mean, row.heldToWorstTie.mean];
  const others = scoresOf(b);
  return scoresOf(a).every((score, i) => Math.abs(score - (others[i] as number)) < ALIKE);
}

function chartOf({ shape, rows }: Measured): Chart {
  const series = (name: string, of: (row: Row) => boolean) => ({
    name,
    points: rows.filter(of).map(({ expected, heldTo }) => [heldTo.mean, expected] as const),
  });
  const named = (name: string) => series(name, ({ player }) => player === name);
  const strategy = (name: string, letters: RegExp) =>
    series(name, (row) => isStrategy(row) && letters.test(row.player));
  const optima = ["perfect", "perfect-ordinary"];
  return {
    name: `exact-${shape}`,
    title: `${shape}: expected score, and what a placer holds the player to`,
    kind: "points",
    x: { name: "held to (mean over the starts)" },
    y: { name: "expected score", log: true },
    series: [
      strategy("strategies with m", /m/),
      strategy("with e, not m", /^[^m]*e[^m]*$/),
      strategy("with neither", /^[^em]*$/),
      series("other programs", (row) => !isStrategy(row) && !optima.includes(row.player)),
      ...optima.map(named),
    ],
  };
}
