import { seededRandom } from "@gridlock/game";

/**
 * Picks `count` of the numbers below `total`, every set with the same probability, by Floyd's
 * algorithm (Bentley, "Programming Pearls: A sample of brilliance", 1987). The seed determines the
 * set.
 */
export function pickSample(total: number, count: number, seed: number): Set<number> {
  const random = seededRandom(seed);
  const picked = new Set<number>();
  for (let last = total - count; last < total; last++) {
    const pick = Math.floor(random() * (last + 1));
    picked.add(picked.has(pick) ? last : pick);
  }
  return picked;
}
