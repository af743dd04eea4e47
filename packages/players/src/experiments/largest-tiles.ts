import { formatCount, formatPercent, formatSeconds, markdownTable } from "@gridlock/report";
import type { Statistics } from "../statistics.js";
import type { PlayersExperiment } from "./experiment.js";
import { differs, type Share, wilson } from "./intervals.js";
import { TILE_TABLES, type TileTable } from "./published.js";

const GAMES = 100;

/** What the program's versions do otherwise than the paper says; each is played beside it. */
const VARIANTS: Readonly<Record<string, readonly string[]>> = {
  "zaky-minimax:4": ["zaky-minimax:4:corner", "zaky-minimax:4:first", "zaky-minimax:4:last"],
  "zaky-expectimax:2": [
    "zaky-expectimax:2:corner",
    "zaky-expectimax:2:first",
    "zaky-expectimax:2:last",
  ],
  "zaky-minimax:8": [],
  "zaky-expectimax:3": [],
};

/** How a player's largest tiles compare with a table of the paper. */
interface Comparison {
  readonly player: string;
  readonly statistics: Statistics;
  readonly tiles: readonly { tile: number; paper: Share; ours: Share; differs: boolean }[];
}

/** Zaky 2014: Tables 1 to 4. */
export const zaky: PlayersExperiment = {
  name: "zaky",
  title: "Minimax and expectimax (Zaky 2014)",
  async run(bench) {
    const tables: { table: TileTable; comparisons: Comparison[] }[] = [];
    for (const table of TILE_TABLES) {
      const comparisons: Comparison[] = [];
      for (const player of [table.player, ...(VARIANTS[table.player] ?? [])]) {
        comparisons.push(compare(table, player, await bench.play(player, GAMES)));
      }
      tables.push({ table, comparisons });
    }
    const text = `
Ordinary game on 4×4 from two random tiles; ${GAMES} games of each player. Intervals hold with 95 % (Wilson). A share is
marked ≠ where the difference from the paper's is more than chance explains (95 %, Newcombe).

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

function compare(table: TileTable, player: string, statistics: Statistics): Comparison {
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

function section({ table, games }: TileTable, comparisons: readonly Comparison[]): string {
  const tiles = [...new Set(comparisons.flatMap((one) => one.tiles.map(({ tile }) => tile)))].sort(
    (a, b) => a - b,
  );
  const shown = (share: Share | undefined, mark = "") => {
    if (share === undefined) return "";
    const [least, most] = wilson(share);
    return `${formatPercent(share.count / share.games)} (${formatPercent(least)} … ${formatPercent(most)})${mark}`;
  };
  const scores = comparisons.map(({ player, statistics: { mean, max, seconds } }) => [
    player,
    formatCount(mean),
    formatCount(max),
    formatSeconds(seconds),
  ]);
  return `
## Table ${table}: ${comparisons[0]?.player}

The paper's ${games} games beside ours, by largest tile:

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

${markdownTable(["player", "mean score", "largest", "time a game"], scores, [1, 2, 3])}`.trim();
}
