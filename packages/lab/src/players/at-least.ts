import { type Column, formatCount, formatSeconds, tableOf } from "@gridlock/report";
import type { Played } from "../bench.js";
import { type Experiment, inTurn, withoutTime } from "../experiment.js";
import { formatShare, type Share } from "./intervals.js";

/** Games of each player; fewer where a game takes several seconds. */
const GAMES = 100;
const FEW_GAMES = 40;
/** The tiles that are asked about. */
const TILES = [1024, 2048, 4096, 8192, 16384];

/** Returns the games that ended with a tile or a larger one. */
function shareWith({ tiles, games }: Played, least: number): Share {
  const share = Object.entries(tiles)
    .filter(([tile]) => Number(tile) >= least)
    .reduce((sum, [, part]) => sum + part, 0);
  return { count: Math.round(share * games), games };
}

function table(played: readonly Played[]): string {
  return tableOf(played, [
    ["player", ({ player }) => player],
    ["games", ({ games }) => games],
    ["mean score", ({ mean }) => formatCount(mean), "right"],
    ["largest", ({ max }) => formatCount(max), "right"],
    ["time a game", ({ seconds }) => formatSeconds(seconds), "right"],
    ...TILES.map((tile): Column<Played> => {
      return [`${tile} or more`, (one) => formatShare(shareWith(one, tile)), "right"];
    }),
  ]);
}

const METHOD = "The ordinary game on 4×4 from two random tiles. Intervals are Wilson's at 95 %.";

/**
 * The author of `Estimate` (2014): "it hardly fails to make a 2048 and often successfully makes a
 * 4096 or 8192".
 */
export const estimate: Experiment = {
  name: "estimate",
  title: "Expectimax with Estimate (2014)",
  settings: ["seed", "mostGames"],
  async measure(bench) {
    const players = ["estimate", "estimate:penalty", "estimate:gap"];
    const played = await inTurn(players, (player) => bench.play(player, FEW_GAMES));
    const text = `
${METHOD} The author: “it hardly fails to make a 2048 and often successfully makes a 4096 or 8192. And I have even made
a 16384!”

${table(played)}`;
    return { text, data: { players: played.map(withoutTime) } };
  },
};

/** The share of games in which the program with gradient masks makes a 4096. */
const CLAIMED = { tile: 4096, share: 0.8 };

/** Depths and variants of the program with gradient masks. */
const GRADIENTS = ["1", "2", "3", "2:sum", "2:lost", "3:sum", "3:lost"];

/** The authors of the gradient masks: "On average, we achieve 4096 in 80% of the cases". */
export const gradient: Experiment = {
  name: "gradient",
  title: "Expectimax with gradient masks",
  settings: ["seed", "mostGames"],
  async measure(bench) {
    const played = await inTurn(GRADIENTS, (setting) =>
      bench.play(`gradient:${setting}`, setting.startsWith("3") ? FEW_GAMES : GAMES),
    );
    const distance = (one: Played) =>
      Math.abs(shareWith(one, CLAIMED.tile).count / one.games - CLAIMED.share);
    const closest = played.reduce((a, b) => (distance(b) < distance(a) ? b : a));
    const text = `
${METHOD} The authors: “On average, we achieve ${CLAIMED.tile} in ${100 * CLAIMED.share}% of the cases, in about 5 minutes.” They do not say how
deep the program looks. Of the settings below, \`${closest.player}\` comes closest.

${table(played)}`;
    return { text, data: { closest: closest.player, players: played.map(withoutTime) } };
  },
};
