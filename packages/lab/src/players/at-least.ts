import type { Statistics } from "@gridlock/players";
import { formatCount, formatSeconds, markdownTable } from "@gridlock/report";
import type { Bench } from "../bench.js";
import type { Experiment } from "../experiment.js";
import { formatShare } from "./intervals.js";

/** Games of each player; fewer where a game takes several seconds. */
const GAMES = 100;
const FEW_GAMES = 40;
/** The tiles that are asked about. */
const TILES = [1024, 2048, 4096, 8192, 16384];

/** Games of a player. */
interface Played {
  readonly player: string;
  readonly statistics: Statistics;
}

async function playAll(bench: Bench, players: Readonly<Record<string, number>>): Promise<Played[]> {
  const played: Played[] = [];
  for (const [player, games] of Object.entries(players)) {
    played.push({ player, statistics: await bench.play(player, games) });
  }
  return played;
}

/** Returns the number of games that ended with a tile or a larger one. */
function gamesWith({ tiles, games }: Statistics, least: number): number {
  const share = Object.entries(tiles)
    .filter(([tile]) => Number(tile) >= least)
    .reduce((sum, [, part]) => sum + part, 0);
  return Math.round(share * games);
}

function table(played: readonly Played[]): string {
  return markdownTable(
    [
      "player",
      "games",
      "mean score",
      "largest",
      "time a game",
      ...TILES.map((tile) => `${tile} or more`),
    ],
    played.map(({ player, statistics }) => [
      player,
      statistics.games,
      formatCount(statistics.mean),
      formatCount(statistics.max),
      formatSeconds(statistics.seconds),
      ...TILES.map((tile) =>
        formatShare({ count: gamesWith(statistics, tile), games: statistics.games }),
      ),
    ]),
    [2, 3, 4, 5, 6, 7, 8, 9],
  );
}

function dataOf(played: readonly Played[]) {
  return played.map(({ player, statistics: { seconds: _, ...statistics } }) => ({
    player,
    ...statistics,
  }));
}

const METHOD = "The ordinary game on 4×4 from two random tiles. Intervals are Wilson's at 95 %.";

/** The author of `Estimate` (2014): "it hardly fails to make a 2048 and often successfully makes a 4096 or 8192". */
export const estimate: Experiment = {
  name: "estimate",
  title: "Expectimax with Estimate (2014)",
  settings: ["seed", "mostGames"],
  async run(bench) {
    const played = await playAll(bench, {
      estimate: FEW_GAMES,
      "estimate:penalty": FEW_GAMES,
      "estimate:gap": FEW_GAMES,
    });
    const text = `
${METHOD} The author: “it hardly fails to make a 2048 and often successfully makes a 4096 or 8192. And I have even made
a 16384!”

${table(played)}`;
    return { text, pictures: [], data: { players: dataOf(played) } };
  },
};

/** The share of games in which the program with gradient masks makes a 4096. */
const CLAIMED = { tile: 4096, share: 0.8 };

/** The authors of the gradient masks: "On average, we achieve 4096 in 80% of the cases". */
export const gradient: Experiment = {
  name: "gradient",
  title: "Expectimax with gradient masks",
  settings: ["seed", "mostGames"],
  async run(bench) {
    const played = await playAll(bench, {
      "gradient:1": GAMES,
      "gradient:2": GAMES,
      "gradient:3": FEW_GAMES,
      "gradient:2:sum": GAMES,
      "gradient:2:lost": GAMES,
      "gradient:3:sum": FEW_GAMES,
      "gradient:3:lost": FEW_GAMES,
    });
    const distance = ({ statistics }: Played) =>
      Math.abs(gamesWith(statistics, CLAIMED.tile) / statistics.games - CLAIMED.share);
    const closest = played.reduce((a, b) => (distance(b) < distance(a) ? b : a));
    const text = `
${METHOD} The authors: “On average, we achieve ${CLAIMED.tile} in ${100 * CLAIMED.share}% of the cases, in about 5 minutes.” They do not say how
deep the program looks. Of the settings below, \`${closest.player}\` comes closest.

${table(played)}`;
    return { text, pictures: [], data: { closest: closest.player, players: dataOf(played) } };
  },
};
