import { type Bound, cellCount, type Game, isExact } from "@gridlock/game";

/**
 * The threshold to ask next of a board of which `bound` is known, or `undefined` when its value is.
 *
 * To refute a threshold above the value costs far less than to prove one below it, but the first
 * question costs the more the higher it is, and what a refuted one returns is often just below it. So
 * the first threshold is a guess a little above the value. From there it goes down, at first by what
 * searches return, then, the further the guess was off, by the larger steps; once a threshold has been
 * proven the rest is halved.
 *
 * @param ceiling the upper bound that the rules alone give: no guide to the value
 * @param guess the first threshold to try, in points
 */
export function nextThreshold(bound: Bound, ceiling: number, guess: number): number | undefined {
  const { lo, hi } = bound;
  if (isExact(bound)) return undefined;
  if (hi >= ceiling) {
    const above = guess > lo ? guess : lo + Math.max(8, lo / 4);
    return Math.min(4 * Math.ceil(above / 4), hi);
  }
  if (lo > 0) return lo + 4 * Math.ceil((hi - lo + 4) / 8);
  const step = 4 * Math.floor(Math.max(0, guess - hi) / 8);
  return Math.max(hi - step, 4);
}

/**
 * A first threshold for a game of which nothing is known, meant to lie a little above the values of
 * its starts; only the time depends on it. The values grow about as the cube of the number of cells,
 * and faster with more rows: cells³·(0.1 + 0.05·rows) is within a fifth of all that are known up to ten
 * cells. With 2s alone the best end is often reached, so its score is the guess: the sum of
 * (k − 1)·2^k up to k = cells.
 */
export function firstThreshold({ shape, tiles }: Game): number {
  const cells = cellCount(shape);
  if (tiles.length === 1) return (cells - 2) * 2 ** (cells + 1) + 4;
  const rows = Math.min(shape.rows, shape.cols);
  return 4 * Math.ceil((cells ** 3 * (0.1 + 0.05 * rows)) / 4) + 4;
}
