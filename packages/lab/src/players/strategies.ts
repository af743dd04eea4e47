import { allStrategies } from "@gridlock/players";
import { bars, formatCount, formatPoints, tableOf } from "@gridlock/report";
import type { Played } from "../bench.js";
import { type Experiment, inTurn, withoutTime } from "../experiment.js";
import { standardErrorsApart } from "./intervals.js";
import { STRATEGY_GAMES, type StrategyRow, TABLE_1, TABLE_2 } from "./published.js";
import { rankingTable } from "./ranking.js";

/** Games of strategies compared with the paper's means: the paper's games decide the error. */
const MANY_GAMES = 10_000;

/** A row of the paper's tables beside a player's games here. */
interface Compared {
  readonly row: StrategyRow;
  readonly player: string;
  readonly ours: Played;
  /** The difference of the means, in standard errors. */
  readonly z: number;
}

/** The results of each comparison, and of all strategies. */
type Results = Record<"table1" | "likeRandom" | "table2" | "likeEmr", readonly Compared[]> & {
  readonly all: readonly object[];
};

/** Kohler, Migler and Khosmood 2019: Tables 1 and 2, and all 65 strategies. */
export const strategies: Experiment<Results> = {
  name: "strategies",
  title: "Compositions of basic heuristics (Kohler, Migler and Khosmood 2019)",
  settings: ["seed", "mostGames"],
  async measure(bench) {
    const play = (players: readonly string[], games: number) =>
      inTurn(players, async (player) => {
        const played = await bench.play(player, games);
        return { ...played, error: played.error ?? 0 };
      });
    const all = await play(allStrategies(), STRATEGY_GAMES);
    all.sort((a, b) => b.mean - a.mean);
    const published = [...TABLE_1, ...TABLE_2].map(({ player }) => player);
    const many = await play([...published, "ur:empty"], MANY_GAMES);
    const beside = (row: StrategyRow, player = row.player): Compared => {
      const ours = many.find((one) => one.player === player) as (typeof many)[number];
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
    const games = (players: readonly Played[]) => formatCount(players[0]?.games ?? 0);
    const text = `
The ordinary game on 4×4 from two random tiles. The paper played ${formatCount(STRATEGY_GAMES)} games with each strategy; those
of its tables play ${games(many)} here. *z* is the difference of the means, in standard errors.

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

${tableOf(all, [
  ["rank", (_, i) => i + 1],
  ["strategy", ({ player }) => player],
  ["mean", ({ mean }) => formatPoints(mean), "right"],
  ["standard error", ({ error }) => formatPoints(error), "right"],
  ["deviation", ({ deviation }) => formatPoints(deviation ?? 0), "right"],
  ["median", ({ median }) => median],
  ["largest", ({ max }) => max],
])}`;
    return { text, data: { table1, likeRandom, table2, likeEmr, all: all.map(withoutTime) } };
  },
  draw({ table1, table2 }) {
    const rows = [...table1, ...table2].filter(({ row, player }) => row.player === player);
    return [
      {
        name: "strategies",
        title: "Tables 1 and 2 of the paper, and here",
        kind: "bars",
        x: { name: "strategy", categories: rows.map(({ player }) => player) },
        y: { name: "mean score" },
        series: [
          bars("paper", rows, (one) => one.row.mean),
          bars("here", rows, (one) => one.ours.mean),
        ],
      },
    ];
  },
};

function comparison(rows: readonly Compared[]): string {
  return tableOf(rows, [
    ["paper", ({ row }) => row.player],
    ["mean", ({ row }) => formatPoints(row.mean), "right"],
    ["median", ({ row }) => row.median],
    ["largest", ({ row }) => row.max],
    ["here", ({ player }) => player],
    ["mean", ({ ours }) => formatPoints(ours.mean), "right"],
    ["standard error", ({ ours }) => formatPoints(ours.error ?? 0), "right"],
    ["median", ({ ours }) => ours.median],
    ["z", ({ z }) => z.toFixed(1), "right"],
  ]);
}
