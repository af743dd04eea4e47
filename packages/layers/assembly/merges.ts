/*
 * A quick upper bound of the static bound (kernel's `bound.ts`), which is expensive.
 */

/**
 * Numbers of tiles on the current board, four bits for each exponent. (A 16th tile of 2 or 4 would
 * carry into the next exponent, but the board would then be full, and not an afterstate.)
 */
let tileCounts: u64 = 0;

/** Counts the tiles on the current board. */
export function countTiles(board: u64): void {
  tileCounts = 0;
  for (; board != 0; board >>= 4) tileCounts += u64(1) << ((board & 15) << 2);
  tileCounts &= ~u64(15);
}

/**
 * Returns points / 4 of all merges that the tiles on the current board and a placed tile could make
 * if equal tiles always met. The static bound, which counts merges of these tiles only, cannot
 * exceed it.
 */
export function mostMerges(place: u32): i32 {
  let counts = (tileCounts >> 4) + (u64(1) << (((place >> 4) & 1) << 2));
  let most: i32 = 0;
  let tiles: i32 = 0;
  for (let points = 1; counts != 0 || tiles > 1; points <<= 1, counts >>= 4) {
    tiles = (<i32>counts & 15) + (tiles >> 1);
    most += (tiles >> 1) * points;
  }
  return most;
}
