import { cellCount, formatBoard, formatShape, type Shape } from "@gridlock/game";
import { formatCount, formatPercent, formatPoints, markdownTable } from "@gridlock/report";
import type { Bench } from "../bench.js";
import type { MoveComparison, MoveQuality } from "../exact/moves.js";
import type { Experiment } from "../experiment.js";
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
  async run(bench) {
    const shapes: Compared[] = [];
    for (const shape of bench.settings.shapes) shapes.push(await compareOn(bench, shape));
    const text = `
In every position with a legal slide, each player's slide is compared with the best ones: against a perfect placer, and in the
ordinary game. *Best* is the share of the positions in which the player makes a best slide. Costs are in points, and their
mean is over all positions. A random choice counts by its probabilities. Images of a position count once. A player that treats images of a board
differently is asked about all of them or, on nine cells, about one.

${shapes.map(section).join("\n\n")}`;
    const data = {
      shapes: shapes.map(({ shape, positions, players }) => ({
        shape,
        positions,
        players: players.map(({ player, againstPlacer, againstChance }) => ({
          player,
          againstPlacer: asData(againstPlacer),
          againstChance: asData(againstChance),
        })),
      })),
    };
    return { text, pictures: [], data };
  },
};

async function compareOn(bench: Bench, shape: Shape) {
  const others = affordable(OTHERS, shape);
  if (await bench.has("ntuple", shape)) others.push("ntuple");
  const optima = affordable(OPTIMA, shape);
  const allImages = cellCount(shape) <= ALL_IMAGES;
  const players: MoveComparison[] = [];
  // Strategies are a group, and the optima choose for all images alike: together with others they would take longer.
  for (const names of [STRATEGIES, optima, others]) {
    if (names.length === 0) continue;
    players.push(...(await bench.compareMoves(names, shape, allImages)));
  }
  const [{ positions }] = players as [MoveComparison, ...MoveComparison[]];
  return { shape: formatShape(shape), positions, players };
}

function section({ shape, positions, players }: Compared): string {
  const cells = ({ best, meanCost, maxCost }: MoveQuality) => [
    formatPercent(best),
    formatPoints(meanCost),
    formatPoints(maxCost),
  ];
  const sorted = players.toSorted((a, b) => a.againstChance.meanCost - b.againstChance.meanCost);
  return `
## ${shape}

${formatCount(positions)} positions.

${markdownTable(
  [
    "player",
    ...["best against the placer", "mean cost", "largest cost"],
    ...["best in the ordinary game", "mean cost", "largest cost"],
  ],
  sorted.map(({ player, againstPlacer, againstChance }) => [
    player,
    ...cells(againstPlacer),
    ...cells(againstChance),
  ]),
  [1, 2, 3, 4, 5, 6],
)}`.trim();
}

function asData({ costliest, ...quality }: MoveQuality) {
  return { ...quality, costliest: costliest ? formatBoard(costliest) : null };
}
