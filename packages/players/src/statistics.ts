import type { PlayOutput } from "@gridlock/schemas";
import type { GameResult } from "./game.js";

/** Statistics of a player's games. */
export type Statistics = Omit<PlayOutput, "player" | "placer" | "shape" | "seed" | "start">;

/** Returns the statistics of one or more games. */
export function statisticsOf(results: readonly GameResult[]): Statistics {
  const games = results.length;
  const mean = meanOf(results, ({ score }) => score);
  const squares = meanOf(results, ({ score }) => (score - mean) ** 2) * games;
  const deviation = games > 1 ? Math.sqrt(squares / (games - 1)) : null;
  const scores = results.map(({ score }) => score).sort((a, b) => a - b);
  const middle = (games - 1) / 2;
  const median =
    ((scores[Math.floor(middle)] as number) + (scores[Math.ceil(middle)] as number)) / 2;
  return {
    games,
    mean,
    deviation,
    error: deviation === null ? null : deviation / Math.sqrt(games),
    min: scores[0] as number,
    median,
    max: scores.at(-1) as number,
    tiles: sharesOf(results.map(({ largest }) => largest)),
    moves: meanOf(results, ({ moves }) => moves),
    seconds: meanOf(results, ({ seconds }) => seconds),
  };
}

function meanOf(results: readonly GameResult[], of: (result: GameResult) => number): number {
  return results.reduce((sum, result) => sum + of(result), 0) / results.length;
}

function sharesOf(tiles: readonly number[]): Record<string, number> {
  const shares: Record<string, number> = {};
  for (const tile of [...new Set(tiles)].sort((a, b) => a - b)) {
    shares[tile] = tiles.filter((other) => other === tile).length / tiles.length;
  }
  return shares;
}
