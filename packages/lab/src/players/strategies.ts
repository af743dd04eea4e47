import { allStrategies, type Statistics } from "@gridlock/players";
import { type Chart, drawChart, formatCount, formatPoints, markdownTable } from "@gridlock/report";
import type { Experiment } from "../experiment.js";
import { standardErrorsApart } from "./intervals.js";
import { STRATEGY_GAMES, type StrategyRow, TABLE_1, TABLE_2 } from "./published.js";
import { rankingTable } from "./ranking.js";

/** Games of the strategies that are held against the paper's means, so that the paper's games decide the error. */
const MANY_GAMES = 10_000;

/** The score of a strategy with its standard error. */
interface Scored extends Statistics {
  readonly player: string;
  readonly error: number;
}

/** Kohler, Migler and Khosmood 2019: Tables 1 and 2, and all 65 strategies. */
export const strategies: Experiment = {
  name: "strategies",
  title: "Compositions of basic heuristics (Kohler, Migler and Khosmood 2019)",
  settings: ["seed", "mostGames"],
  async run(bench) {
    const play = async (player: string, games: number): Promise<Scored> => {
      const statistics = await bench.play(player, games);
      return { player, ...statistics, error: statistics.error ?? 0 };
    };
    const all: Scored[] = [];
    for (const player of allStrategies()) all.push(await play(player, STRATEGY_GAMES));
    all.sort((a, b) => b.mean - a.mean);
    const published = [...TABLE_1, ...TABLE_2];
    const many = new Map<string, Scored>();
    for (const { player } of published) many.set(player, await play(player, MANY_GAMES));
    many.set("ur:empty", await play("ur:empty", MANY_GAMES));
    const beside = (row: StrategyRow, player = row.player) => {
      const ours = many.get(player) as Scored;
      const paper = { mean: row.mean, error: row.deviation / Math.sqrt(STRATEGY_GAMES) };
      return { row, player, ours, z: standardErrorsApart(ours, paper) };
    };
    const table1 = TABLE_1.flatMap((row) =>
      row.player === "ur" ? [beside(row), beside(row, "ur:empty")] : [beside(row)],
    );
    const likeRandom = TABLE_1.filter(({ player }) => ["ur", "gr"].includes(player)).map((row) =>
      beside(row, "r"),
    );
    const table2 = TABLE_2.map((row) => beside(row));
    const likeEmr = TABLE_2.map((row) => beside(row, "emr"));
    const games = (players: readonly Scored[]) => formatCount(players[0]?.games ?? 0);
    const text = `
The ordinary game on 4×4 from two random tiles. The paper played ${formatCount(STRATEGY_GAMES)} games with each strategy; those
of its tables play ${games([...many.values()])} here. *z* is the difference of the means, in standard errors.

## Table 1: each evaluator by itself

${comparison(table1)}

The paper's rows for *u* and *g* look like those of a player that chooses at random, as if every slide tied:

${comparison(likeRandom)}

## Table 2: the ten best

${comparison(table2)}

If *u* and *g* always tied in the paper's program, each of these ten strategies was \`emr\`. Of ${allStrategies().filter((player) => /e.*m/.test(player)).length} strategies with *e* before
*m*, these would be the ten that chance favoured:

${comparison(likeEmr)}

## All 65 strategies

${games(all)} games each. By the paper's ranking, strategies with *e* before *m* come first, then those with *m* before *e*, with
*m* alone, with *e* alone, and with neither:

${rankingTable(all)}

${markdownTable(
  ["rank", "strategy", "mean", "standard error", "deviation", "median", "largest"],
  all.map(({ player, mean, error, deviation, median, max }, i) => [
    i + 1,
    player,
    formatPoints(mean),
    formatPoints(error),
    formatPoints(deviation ?? 0),
    median,
    max,
  ]),
  [2, 3, 4],
)}`;
    const chart: Chart = {
      name: "strategies",
      title: "Tables 1 and 2 of the paper, and here",
      kind: "bars",
      x: { name: "strategy", categories: published.map(({ player }) => player) },
      y: { name: "mean score" },
      series: [
        { name: "paper", points: published.map(({ mean }, i) => [i, mean]) },
        {
          name: "here",
          points: published.map(({ player }, i) => [i, (many.get(player) as Scored).mean]),
        },
      ],
    };
    return {
      text,
      pictures: [await drawChart(chart)],
      data: { table1, likeRandom, table2, likeEmr, all: all.map(withoutTime) },
    };
  },
};

function comparison(
  rows: readonly { row: StrategyRow; player: string; ours: Scored; z: number }[],
) {
  return markdownTable(
    ["paper", "mean", "median", "largest", "here", "mean", "standard error", "median", "z"],
    rows.map(({ row, player, ours, z }) => [
      row.player,
      formatPoints(row.mean),
      row.median,
      row.max,
      player,
      formatPoints(ours.mean),
      formatPoints(ours.error),
      ours.median,
      z.toFixed(1),
    ]),
    [1, 5, 6, 8],
  );
}

/** Leaves out what does not repeat. */
function withoutTime({ seconds: _, ...statistics }: Scored) {
  return statistics;
}
