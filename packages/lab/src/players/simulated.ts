import { formatShape, type Shape } from "@gridlock/game";
import { formatCount, formatPoints, markdownTable } from "@gridlock/report";
import type { Bench } from "../bench.js";
import type { Experiment } from "../experiment.js";

const GAMES = 100_000;
/** Strategies, which are assessed together. */
const STRATEGIES = ["r", "er", "gr", "mr", "ur", "emr", "gmr"];
const OTHERS = ["greedy", "perfect", "perfect-ordinary"];

/** Exact expectations held against simulated games. */
export const simulated: Experiment = {
  name: "simulated",
  title: "Exact expectations against simulated games",
  settings: ["seed", "mostGames", "shapes"],
  async run(bench) {
    const shapes: Awaited<ReturnType<typeof compareOn>>[] = [];
    for (const shape of bench.settings.shapes) shapes.push(await compareOn(bench, shape));
    const all = shapes.flatMap(({ rows }) => rows);
    const largest = Math.max(...all.map(({ z }) => Math.abs(z ?? 0)));
    const text = `
The exact expected score of the ordinary game beside the mean score of simulated games. *z* is the difference in standard
errors; of ${all.length} comparisons it is ${largest.toFixed(1)} at most.

${shapes
  .map((one) => `## ${one.shape}, ${formatCount(one.games)} games of each player\n\n${table(one)}`)
  .join("\n\n")}`;
    return { text, pictures: [], data: { shapes } };
  },
};

/**
 * Compares players' exact expectations with the means of their games. *z* is the difference in
 * standard errors, or null if the standard error is 0 or unknown.
 */
async function compareOn(bench: Bench, shape: Shape) {
  const assessed = await bench.assess(STRATEGIES, shape);
  for (const player of OTHERS) assessed.push(...(await bench.assess([player], shape)));
  let games = 0;
  const rows = [];
  for (const { player, expected } of assessed) {
    const { mean, error, ...played } = await bench.play(player, GAMES, { shape });
    games = played.games;
    rows.push({ player, expected, mean, error, z: error ? (mean - expected) / error : null });
  }
  return { shape: formatShape(shape), games, rows };
}

function table({ rows }: Awaited<ReturnType<typeof compareOn>>): string {
  return markdownTable(
    ["player", "exact", "simulated", "standard error", "z"],
    rows.map(({ player, expected, mean, error, z }) => [
      player,
      formatPoints(expected),
      formatPoints(mean),
      formatPoints(error ?? 0),
      z?.toFixed(1),
    ]),
    [1, 2, 3, 4],
  );
}
