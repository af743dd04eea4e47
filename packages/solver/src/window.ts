import { type Bound, cellCount, type Game, isExact } from "@gridlock/game";

/** Where a value is thought to be, in points. */
export interface Guess {
  /** The first threshold to ask: a little above the value, if the guess is good. */
  readonly threshold: number;
  /** How far to go up if it is not: the least step. */
  readonly step: number;
}

/**
 * The threshold to ask next of a board of which `bound` is known, or `undefined` when its value is.
 *
 * What a question costs grows with its threshold, and a proof below the value helps little with the next one above
 * it; but a refutation above the value does most of the work for all below it, until far above it costs more. So the
 * first threshold is a guess a little above the value. From there it goes down, at first by what searches return, then,
 * the further the guess was off, by the larger steps; or, when the guess is proven, up by ever larger steps. Once there
 * are a proven and a refuted threshold close to each other the rest is halved. What was known before, such as a proven
 * threshold far below from a search for lower bounds alone, is no reason to go elsewhere.
 *
 * @param ceiling the upper bound that the rules alone give: no guide to the value
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
 * A guess for a start of a game of which nothing is known; only the time depends on it. With 2s and 4s it is fitted to
 * the values of the shapes that are known: from nine cells on, those grow about as the 3.8th power of the number of cells, from
 * twelve on (2×7 alone is known) as the 1.65th, and as the root of the number of rows (2×5 stays a fifth below that; fewer
 * cells are solved at once whatever the guess). With
 * 2s alone the best end is often reached, so its score is the guess: the sum of (k − 1)·2^k up to k = cells.
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

/** A guess that somebody makes of a value, in points. */
export function guessOf(value: number): Guess {
  return { threshold: 4 * Math.ceil(value / 4), step: value / 8 };
}

/** A guess for a board beside one of this value, as the starts of a shape are beside each other. */
export function guessBeside(value: number): Guess {
  return { threshold: value + 4, step: 4 };
}

/**
 * By which part a proven lower bound is raised at a time. Proofs one after another hardly help each other, and each costs some
 * half as much again as the one before: so all together cost three times the last one.
 */
const RAISE = 1 / 8;

/** The threshold to ask next where only lower bounds are wanted: a little above what is proven. */
export function raised({ lo, hi }: Bound): number {
  return Math.min(lo + 4 * Math.ceil((lo * RAISE + 1) / 4), hi);
}
