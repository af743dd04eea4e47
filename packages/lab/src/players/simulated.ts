import { formatShape, type Shape } from "@gridlock/game";
import { formatCount, formatPoints, tableOf } from "@gridlock/report";
import type { Bench } from "../bench.js";
import { type Experiment, inTurn } from "../experiment.js";

const GAMES = 100_000;
/** Strategies, which are assessed together. */
const STRATEGIES = ["r", "er", "gr", "mr", "ur", "emr", "gmr"];
const OTHERS = ["greedy", "perfect", "perfect-ordinary"];

/** Exact expectations held against simulated games. */
export const simulated: Experiment = {
  name: "simulated",
  title: "Exact expectations against simulated games",
  settings: ["seed", "mostGames", "shapes"],
  async measure(bench) {
    const shapes = await inTurn(bench.settings.shapes, (shape) => compareOn(bench, shape));
    const all = shapes.flatMap(({ rows }) => rows);
    const largest = Math.max(...all.map(({ z }) => Math.abs(z ?? 0)));
    const text = `
The exact expected score of the ordinary game beside the mean score of simulated games. *z* is the difference in standard
errors; of ${all.length} comparisons it is ${largest.toFixed(1)} at most.

${shapes
  .map((one) => `## ${one.shape}, ${formatCount(one.games)} games of each player\n\n${table(one)}`)
  .join("\n\n")}`;
    return { text, data: { shapes } };
  },
};

/**
 * Compares players' exact expectations with the means of their games. *z* is the difference in
 * standard errors, or null if the standard error is 0 or unknown.
 */
async function compareOn(bench: Bench, shape: Shape) {
  const groups = [STRATEGIES, ...OTHERS.map((player) => [player])];
  const assessed = await inTurn(groups, (players) => bench.assess(players, shape));
  let games = 0;
  const rows = await inTurn(assessed.flat(), async ({ player, expected }) => {
    const { mean, error, ...played } = await bench.play(player, GAMES, { shape });
    games = played.games;
    return { player, expected, mean, error, z: error ? (mean - expected) / error : null };
  });
  return { shape: formatShape(shape), games, rows };
}

function table({ rows }: Awaited<ReturnType<typeof compareOn>>): string {
  return tableOf(rows, [
    ["player", ({ player }) => player],
    ["exact", ({ expected }) => formatPoints(expected), "right"],
    ["simulated", ({ mean }) => formatPoints(mean), "right"],
    ["standard error", ({ error }) => formatPoints(error ?? 0), "right"],
    ["z", ({ z }) => z?.toFixed(1), "right"],
  ]);
}
