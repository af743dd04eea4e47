import type { Statistics } from "@gridlock/players";
import { formatCount, formatSeconds, markdownTable } from "@gridlock/report";
import type { Experiment } from "../experiment.js";
import { differs, formatShare, type Share } from "./intervals.js";
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
  async run(bench) {
    const tables: { table: TileTable; comparisons: Comparison[] }[] = [];
    for (const table of TILE_TABLES) {
      const comparisons: Comparison[] = [];
      const players = { [table.player]: GAMES, ...VARIANTS[table.player] };
      for (const [player, games] of Object.entries(players)) {
        comparisons.push(compare(table, player, await bench.play(player, games)));
      }
      tables.push({ table, comparisons });
    }
    const text = `
The ordinary game on 4×4 from two random tiles. Intervals are Wilson's at 95 %. ≠ marks a share that differs from the paper's by
more than chance explains (Newcombe, 95 %).

${tables.map(({ table, comparisons }) => section(table, comparisons)).join("\n\n")}`;
    const data = {
      tables: tables.map(({ table, comparisons }) => ({
        ...table,
        players: comparisons.map(
          ({ player, statistics: { seconds: _, ...statistics }, tiles }) => ({
            player,
            ...statistics,
            outside: tiles.filter((one) => one.differs).map(({ tile }) => tile),
          }),
        ),
      })),
    };
    return { text, pictures: [], data };
  },
};

/** Compares a player's largest tiles with a table of the paper. */
function compare(table: TileTable, player: string, statistics: Statistics) {
  const { tiles, games } = statistics;
  const all = new Set([...Object.keys(table.tiles), ...Object.keys(tiles)].map(Number));
  return {
    player,
    statistics,
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
  const shown = (share: Share | undefined, mark = "") =>
    share === undefined ? "" : formatShare(share) + mark;
  const scores = comparisons.map(({ player, tiles, statistics: { games, mean, max, seconds } }) => [
    player,
    games,
    tiles.filter((one) => one.differs).length,
    formatCount(mean),
    formatCount(max),
    formatSeconds(seconds),
  ]);
  return `
## Table ${table}: ${comparisons[0]?.player}

The paper's ${games} games beside ours, by largest tile${mean === undefined ? "" : `; their mean score was ${formatCount(mean)}`}:

${markdownTable(
  ["largest tile", "paper", ...comparisons.map(({ player }) => player)],
  tiles.map((tile) => {
    const cells = comparisons.map((one) => one.tiles.find((row) => row.tile === tile));
    return [
      tile,
      shown(cells.find((cell) => cell !== undefined)?.paper),
      ...cells.map((cell) => shown(cell?.ours, cell?.differs ? " ≠" : "")),
    ];
  }),
)}

${markdownTable(
  ["player", "games", "shares that differ", "mean score", "largest", "time a game"],
  scores,
  [3, 4, 5],
)}`.trim();
}
