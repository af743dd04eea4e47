import { formatCount, formatSeconds } from "@gridlock/report";
import { type Experiment, inTurn } from "../experiment.js";
import { type Column, tableOf } from "../table.js";
import { differs, formatShare } from "./intervals.js";
import { type Played, playAll, withoutTime } from "./played.js";
import { TILE_TABLES, type TileTable } from "./published.js";

const GAMES = 100;

/** Games of variants of which a game takes seconds. */
const FEW_GAMES = 20;

/**
 * Readings that are played beside the player of each table, with their games: H with a reward for corners, which the
 * paper calls optional; and as the program's first and last versions have it, of which the first searches one ply deeper.
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

type Comparison = ReturnType<typeof compare>;

/** Zaky 2014: Tables 1 to 4. */
export const zaky: Experiment = {
  name: "zaky",
  title: "Minimax and expectimax (Zaky 2014)",
  settings: ["seed", "mostGames"],
  async measure(bench) {
    const tables = await inTurn(TILE_TABLES, async (table) => {
      const games = Object.entries({ [table.player]: GAMES, ...VARIANTS[table.player] });
      const played = await playAll(bench, games);
      return { table, comparisons: played.map((one) => compare(table, one)) };
    });
    const text = `
The ordinary game on 4×4 from two random tiles. Intervals are Wilson's at 95 %. ≠ marks a share that differs from the paper's by
more than chance explains (Newcombe, 95 %).

${tables.map(({ table, comparisons }) => section(table, comparisons)).join("\n\n")}`;
    const data = {
      tables: tables.map(({ table, comparisons }) => ({
        ...table,
        players: comparisons.map(({ played, tiles }) => ({
          ...withoutTime(played),
          outside: tiles.filter((one) => one.differs).map(({ tile }) => tile),
        })),
      })),
    };
    return { text, data };
  },
};

/** Compares a player's largest tiles with a table of the paper. */
function compare(table: TileTable, played: Played) {
  const { tiles, games } = played;
  const all = new Set([...Object.keys(table.tiles), ...Object.keys(tiles)].map(Number));
  return {
    played,
    tiles: [...all]
      .sort((a, b) => a - b)
      .map((tile) => {
        const paper = { count: table.tiles[tile] ?? 0, games: table.games };
        const ours = { count: Math.round((tiles[tile] ?? 0) * games), games };
        return { tile, paper, ours, differs: differs(paper, ours) };
      }),
  };
}

function section({ table, games, mean }: TileTable, comparisons: readonly Comparison[]): string {
  const tiles = [...new Set(comparisons.flatMap((one) => one.tiles.map(({ tile }) => tile)))].sort(
    (a, b) => a - b,
  );
  return `
## Table ${table}: ${comparisons[0]?.played.player}

The paper's ${games} games beside ours, by largest tile${mean === undefined ? "" : `; their mean score was ${formatCount(mean)}`}:

${tableOf(tiles, [
  ["largest tile", (tile) => tile],
  [
    "paper",
    (tile) => {
      const row = comparisons.flatMap((one) => one.tiles).find((row) => row.tile === tile);
      return row && formatShare(row.paper);
    },
  ],
  ...comparisons.map(
    (one): Column<number> => [
      one.played.player,
      (tile) => {
        const row = one.tiles.find((row) => row.tile === tile);
        return row && formatShare(row.ours) + (row.differs ? " ≠" : "");
      },
    ],
  ),
])}

${tableOf(comparisons, [
  ["player", ({ played }) => played.player],
  ["games", ({ played }) => played.games],
  ["shares that differ", ({ tiles }) => tiles.filter((one) => one.differs).length],
  ["mean score", ({ played }) => formatCount(played.mean), "right"],
  ["largest", ({ played }) => formatCount(played.max), "right"],
  ["time a game", ({ played }) => formatSeconds(played.seconds), "right"],
])}`.trim();
}
