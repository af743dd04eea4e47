import { DIRECTIONS, type Direction } from "@gridlock/game";
import type { Choice } from "./player.js";

/**
 * The choices of equal probability for each set of directions, one bit each in the order of
 * `DIRECTIONS`.
 */
const EQUAL: readonly (readonly Choice[])[] = Array.from({ length: 16 }, (_, set) => {
  const members = DIRECTIONS.filter((_, i) => (set >> i) & 1);
  return members.map((direction) => ({ direction, probability: 1 / members.length }));
});

/**
 * Returns choices of equal probability.
 *
 * @param set one bit for each direction, in the order of `DIRECTIONS`
 */
export function equalChoices(set: number): readonly Choice[] {
  return EQUAL[set] as readonly Choice[];
}

/**
 * Worths with a smaller relative difference are equal: sums of the same numbers depend on their
 * order.
 */
const ROUNDING = 1e-9;

/**
 * Returns the first of the best directions by an order, as an index of `DIRECTIONS`; `undefined` if
 * none is worth more than `least`.
 *
 * @param worths the worth of each direction, in the order of `DIRECTIONS`; −∞ for illegal ones
 * @param order indices of `DIRECTIONS`
 */
export function firstBest(
  worths: Float64Array,
  order: readonly number[],
  least = Number.NEGATIVE_INFINITY,
): number | undefined {
  let best: number | undefined;
  let most = least;
  for (const i of order) {
    const worth = worths[i] as number;
    if (worth === Number.NEGATIVE_INFINITY) continue;
    if (most !== Number.NEGATIVE_INFINITY && worth <= most + ROUNDING * (1 + Math.abs(most)))
      continue;
    most = worth;
    best = i;
  }
  return best;
}

/** Returns indices of `DIRECTIONS` in another order. */
export function orderOf(...directions: readonly Direction[]): number[] {
  return directions.map((direction) => DIRECTIONS.indexOf(direction));
}
