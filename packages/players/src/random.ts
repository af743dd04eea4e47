/**
 * Returns a generator of random numbers in [0, 1), in steps of 2^−32, determined by a seed and the
 * number of a game: Chris Doty-Humphrey's sfc32. Its period is at least 2^32 from any state, so it
 * is very unlikely that games share a stretch of it.
 */
export function gameRandom(seed: number, game: number): () => number {
  let [a, b, c, counter] = [seed | 0, game | 0, Math.floor(game / 2 ** 32) | 0, 1];
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < 15; i++) next(); // spreads seed and number over the state
  return next;
}
