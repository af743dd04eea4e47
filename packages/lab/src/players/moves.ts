import { cellCount, formatShape, type Shape } from "@gridlock/game";
import { type Column, formatCount, formatPercent, formatPoints, tableOf } from "@gridlock/report";
import type { Bench } from "../bench.js";
import type { MoveQuality } from "../exact/moves.js";
import { type Experiment, inTurn } from "../experiment.js";
import { affordable, type PlayersByCells } from "./affordable.js";

const STRATEGIES = ["emr", "mr", "gmr", "er", "gr", "ur", "r"];
const OPTIMA: PlayersByCells = [[8, ["perfect", "perfect-ordinary"]]];
const OTHERS: PlayersByCells = [
  [6, ["estimate", "gradient:3", "zaky-minimax:4", "zaky-minimax:8", "zaky-expectimax:3"]],
  [8, ["gradient:1", "zaky-minimax:2"]],
  [9, ["zaky-expectimax:1", "greedy"]],
];
/** The most cells of shapes on which a player is asked about all images of a position. */
const ALL_IMAGES = 8;

type Compared = Awaited<ReturnType<typeof compareOn>>;

/** The share of players' slides that are best ones, and the cost of their mistakes. */
export const moves: Experiment = {
  name: "moves",
  title: "Slide by slide: how often players slide best, and what their mistakes cost",
  settings: ["seed", "mostGames", "shapes"],
  async measure(bench) {
    const shapes = await inTurn(bench.settings.shapes, (shape) => compareOn(bench, shape));
    const text = `
In every position with a legal slide, each player's slide is compared with the best ones: against a perfect placer, and in the
ordinary game. *Best* is the share of the positions in which the player makes a best slide. Costs are in points, and their
mean is over all positions. A random choice counts by its probabilities. Images of a position count once. A player that treats images of a board
differently is asked about all of them or, on nine cells, about one.

${shapes.map(section).join("\n\n")}`;
    return { text, data: { shapes } };
  },
};

async function compareOn(bench: Bench, shape: Shape) {
  const others = affordable(OTHERS, shape);
  if (await bench.has("ntuple", shape)) others.push("ntuple");
  const optima = affordable(OPTIMA, shape);
  const allImages = cellCount(shape) <= ALL_IMAGES;
  // Strategies share scores, and the optima choose for all images alike: together with others they
  // would take longer.
  const groups = [STRATEGIES, optima, others].filter((names) => names.length > 0);
  const compared = await inTurn(groups, (names) => bench.compareMoves(names, shape, allImages));
  const positions = compared[0]?.[0]?.positions ?? 0;
  const players = compared.flat().map(({ positions: _, ...player }) => player);
  return { shape: formatShape(shape), positions, players };
}

function section({ shape, positions, players }: Compared): string {
  type Player = (typeof players)[number];
  const columns = (best: string, of: (row: Player) => MoveQuality): Column<Player>[] => [
    [best, (row) => formatPercent(of(row).best), "right"],
    ["mean cost", (row) => formatPoints(of(row).meanCost), "right"],
    ["largest cost", (row) => formatPoints(of(row).maxCost), "right"],
  ];
  const sorted = players.toSorted((a, b) => a.againstChance.meanCost - b.againstChance.meanCost);
  return `
## ${shape}

${formatCount(positions)} positions.

${tableOf(sorted, [
  ["player", ({ player }) => player],
  ...columns("best against the placer", ({ againstPlacer }) => againstPlacer),
  ...columns("best in the ordinary game", ({ againstChance }) => againstChance),
])}`.trim();
}
