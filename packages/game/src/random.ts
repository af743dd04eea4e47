/** The chance that the ordinary game places a 4 rather than a 2. */
export const CHANCE_OF_FOUR = 0.1;

/**
 * Returns a seeded generator of random numbers in [0, 1), in steps of 2^−32: Tommy Ettinger's
 * mulberry32, which is good enough for shuffling and sampling.
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}
