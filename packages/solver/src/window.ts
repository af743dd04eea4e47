import { type Bound, cellCount, type Game, isExact } from "@gridlock/game";

/** A guess of a value, in points. */
export interface Guess {
  /** The first threshold to ask: a little above the value, if the guess is good. */
  readonly threshold: number;
  /** The smallest step upward, if the threshold is proven. */
  readonly step: number;
}

/**
 * Returns the threshold to ask next about a board, or `undefined` if its value is known.
 *
 * The cost of a question grows with its threshold. A proof below the value helps little with the
 * next threshold above it. A refutation above the value does most of the work for all thresholds
 * below it, but costs more the farther it is above the value. So the first threshold is a guess a
 * little above the value. From there thresholds go down, first to the bounds that searches return,
 * then by steps that grow with the error of the guess; or, if the guess is proven, up by larger and
 * larger steps. Once a proven and a refuted threshold are close to each other, the interval is
 * halved. Earlier bounds, for instance a threshold far below from a search for lower bounds only,
 * do not move the guess.
 *
 * @param ceiling the upper bound by the rules alone, which is usually far above the value
 */
export function nextThreshold(bound: Bound, ceiling: number, guess: Guess): number | undefined {
  const { lo, hi } = bound;
  if (isExact(bound)) return undefined;
  const { threshold, step } = guess;
  if (threshold > lo && (hi >= ceiling || hi > threshold))
    return Math.min(4 * Math.ceil(threshold / 4), hi);
  if (hi >= ceiling) {
    return Math.min(4 * Math.ceil((lo + Math.max(step, lo - threshold, 4)) / 4), hi);
  }
  const middle = lo + 4 * Math.ceil((hi - lo + 4) / 8);
  if (hi > threshold) return middle;
  return Math.max(hi - 4 * Math.floor((threshold - hi) / 8), lo > 0 ? middle : 4);
}

/**
 * Guesses the value of a start of a new game; it affects only the time. With 2s and 4s the guess is
 * fitted to the known values. From nine cells on, these grow about as the 3.8th power of the number
 * of cells, from twelve on (only 2×7 is known) as the 1.65th, and as the square root of the number
 * of rows. (2×5 is a fifth below that; smaller shapes are solved at once with any guess.) With 2s
 * only, the slider often reaches the best end state, so the guess is its score: the sum of (k −
 * 1)·2^k up to k = cells.
 */
export function firstGuess({ shape, tiles }: Game): Guess {
  const cells = cellCount(shape);
  if (tiles.length === 1) {
    const best = (cells - 2) * 2 ** (cells + 1) + 4;
    return { threshold: best, step: best / 4 };
  }
  const rows = Math.min(shape.rows, shape.cols);
  const growth = Math.min(cells, 12) ** 3.8 * Math.max(1, cells / 12) ** 1.65;
  const value = 0.026 * growth * Math.sqrt(rows);
  return { threshold: 4 * Math.ceil(value / 4) + 4, step: value / 8 };
}

/**
 * Guesses the values of a game's open starts: by those that are known or, without any, by the value
 * that the user expects, in points.
 */
export function guessAmong(
  game: Game,
  starts: readonly { readonly bound: Bound }[],
  expected: number | undefined,
): Guess {
  const known = starts.filter(({ bound }) => isExact(bound)).map(({ bound }) => bound.lo);
  if (known.length > 0) return guessBeside(Math.max(...known));
  if (expected === undefined) return firstGuess(game);
  return { threshold: 4 * Math.ceil(expected / 4), step: expected / 8 };
}

/**
 * Guesses the value of a board similar to one with this value; the starts of a shape are similar.
 */
export function guessBeside(value: number): Guess {
  return { threshold: value + 4, step: 4 };
}
