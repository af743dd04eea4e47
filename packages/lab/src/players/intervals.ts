import { formatPercent } from "@gridlock/report";

/** The 97.5th percentile of the normal distribution: intervals hold with 95 %. */
const Z = 1.959964;

/** Some of a number of games. */
export interface Share {
  readonly count: number;
  readonly games: number;
}

/** An interval of probabilities. */
export type Interval = readonly [least: number, most: number];

/** Wilson's 95 % interval of the probability behind a share of games (Wilson 1927). */
export function wilson({ count, games }: Share): Interval {
  const share = count / games;
  const centre = share + Z ** 2 / (2 * games);
  const spread = Z * Math.sqrt((share * (1 - share)) / games + Z ** 2 / (4 * games ** 2));
  const scale = 1 + Z ** 2 / games;
  return [Math.max(0, (centre - spread) / scale), Math.min(1, (centre + spread) / scale)];
}

/** Formats a share with Wilson's interval: `45 % (36 % … 55 %)`. */
export function formatShare(share: Share): string {
  const [least, most] = wilson(share);
  return `${formatPercent(share.count / share.games)} (${formatPercent(least)} … ${formatPercent(most)})`;
}

/** The 95 % interval of a difference of probabilities, given shares (Newcombe 1998, method 10). */
export function newcombe(a: Share, b: Share): Interval {
  const [p, q] = [a.count / a.games, b.count / b.games];
  const [[pLeast, pMost], [qLeast, qMost]] = [wilson(a), wilson(b)];
  return [p - q - Math.hypot(p - pLeast, qMost - q), p - q + Math.hypot(pMost - p, q - qLeast)];
}

/** Returns whether two shares differ by more than chance explains at 95 %. */
export function differs(a: Share, b: Share): boolean {
  const [least, most] = newcombe(a, b);
  return least > 0 || most < 0;
}

/** Returns the difference of two means in its standard errors, given theirs. */
export function standardErrorsApart(
  a: { readonly mean: number; readonly error: number },
  b: { readonly mean: number; readonly error: number },
): number {
  return (a.mean - b.mean) / Math.hypot(a.error, b.error);
}
