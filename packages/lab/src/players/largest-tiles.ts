import { type Column, formatCount, formatSeconds, tableOf } from "@gridlock/report";
import type { Played } from "../bench.js";
import { type Experiment, inTurn, withoutTime } from "../experiment.js";
import { differs, formatShare } from "./intervals.js";
import { TILE_TABLES, type TileTable } from "./published.js";

const GAMES = 100;

/** Games of variants of which a game takes seconds. */
const FEW_GAMES = 20;

/**
 * Readings that are played beside the player of each table, with their games: H with a reward for
 * corners, which the paper calls optional; and as the program's first and last versions have it, of
 * which the first searches one ply deeper.
 */
const VARIANTS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "zaky-minimax:4": {
    "zaky-minimax:4:corner": GAMES,
    "zaky-minimax:4:first": GAMES,
    "zaky-minimax:5:first": GAMES,
    "zaky-minimax:4:last": GAMES,
  },
  "zaky-expectimax:2": {
    "zaky-expectimax:2:corner": GAMES,
    "zaky-expectimax:2:inner": GAMES,
    "zaky-expectimax:2:first": GAMES,
    "zaky-expectimax:2:last": GAMES,
  },
  "zaky-minimax:8": { "zaky-minimax:8:corner": FEW_GAMES },
  "zaky-expectimax:3": { "zaky-expectimax:3:inner": FEW_GAMES },
};

/** Zaky 2014: Tables 1 to 4. */
export const zaky: Experiment = {
  name: "zaky",
  title: "Minimax and expectimax (Zaky 2014)",
  settings: ["seed", "mostGames"],
  async measure(bench) {
    const tables = await inTurn(TILE_TABLES, async (table) => {
      const games = Object.entries({ [table.player]: GAMES, ...VARIANTS[table.player] });
      return { table, played: await inTurn(games, ([player, count]) => bench.play(player, count)) };
    });
    const text = `
The ordinary game on 4×4 from two random tiles. Intervals are Wilson's at 95 %. ≠ marks a share that differs from the paper's by
more than chance explains (Newcombe, 95 %).

${tables.map(({ table, played }) => section(table, played)).join("\n\n")}`;
    const data = {
      tables: tables.map(({ table, played }) => ({
        ...table,
        players: played.map((one) => ({ ...withoutTime(one), outside: differing(table, one) })),
      })),
    };
    return { text, data };
  },
};

/** Returns the largest tiles of some games, in ascending order. */
function largestTiles(...all: readonly Pick<Played, "tiles">[]): number[] {
  const tiles = new Set(all.flatMap((one) => Object.keys(one.tiles).map(Number)));
  return [...tiles].sort((a, b) => a - b);
}

/** The paper's games, and ours, that ended with a tile. */
const paperShare = ({ tiles, games }: TileTable, tile: number) => ({
  count: tiles[tile] ?? 0,
  games,
});
const ourShare = ({ tiles, games }: Played, tile: number) => ({
  count: Math.round((tiles[tile] ?? 0) * games),
  games,
});

/** Returns the tiles whose share differs from the paper's. */
function differing(table: TileTable, played: Played): number[] {
  return largestTiles(table, played).filter((tile) =>
    differs(paperShare(table, tile), ourShare(played, tile)),
  );
}

function section(table: TileTable, players: readonly Played[]): string {
  const { games, mean } = table;
  return `
## Table ${table.table}: ${table.player}

The paper's ${games} games beside ours, by largest tile${mean === undefined ? "" : `; their mean score was ${formatCount(mean)}`}:

${tableOf(largestTiles(table, ...players), [
  ["largest tile", (tile) => tile],
  ["paper", (tile) => formatShare(paperShare(table, tile))],
  ...players.map((one): Column<number> => {
    const tiles = largestTiles(table, one);
    const marked = differing(table, one);
    return [
      one.player,
      (tile) =>
        tiles.includes(tile)
          ? formatShare(ourShare(one, tile)) + (marked.includes(tile) ? " ≠" : "")
          : undefined,
    ];
  }),
])}

${tableOf(players, [
  ["player", ({ player }) => player],
  ["games", ({ games }) => games],
  ["shares that differ", (one) => differing(table, one).length],
  ["mean score", ({ mean }) => formatCount(mean), "right"],
  ["largest", ({ max }) => formatCount(max), "right"],
  ["time a game", ({ seconds }) => formatSeconds(seconds), "right"],
])}`.trim();
}
