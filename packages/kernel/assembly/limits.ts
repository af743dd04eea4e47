/* Limits that follow from the shape. */
import { CELLS } from "../../boards/assembly/shape";

/**
 * Bits of a bound, points / 4, in a table entry. No board's value exceeds ((CELLS − 1)·2^(CELLS +
 * 2) + 4) points, a quarter of which takes at most CELLS + ceil(log2 CELLS) bits. Beyond 15 bits
 * (131,064 points) bounds saturate, to a smaller `lo` or to no `hi`, which is sound. To leave an
 * entry room for more of the key, they saturate beyond 12 bits (16,376 points) on 14 cells, 11
 * (8,184) on 15 and 10 (4,088) on 16.
 */
export const VALUE_BITS: i32 =
  CELLS <= 2
    ? 3
    : CELLS <= 4
      ? 7
      : CELLS <= 8
        ? CELLS + 3
        : CELLS <= 11
          ? CELLS + 4
          : CELLS <= 12
            ? 15
            : 26 - CELLS;

/**
 * Number of placements after which the tile sum would exceed the maximum, 4 + 8 + … + 2^(CELLS +
 * 1): each adds 2 or more.
 */
const MOST_BY_SUM: i32 = (1 << (CELLS + 1)) - 2;
/**
 * Number of placements after which every threshold is reached: of n tiles placed in addition to one
 * already there, all but CELLS must have merged, each for a quarter of 4 points or more. (Does not
 * apply if a tile is the goal: see `TableOptions`.)
 */
const MOST_BY_SCORE: i32 = (1 << VALUE_BITS) + CELLS;
/** Maximum number of placements on a path. */
export const MAX_PLACEMENTS: i32 = MOST_BY_SUM < MOST_BY_SCORE ? MOST_BY_SUM : MOST_BY_SCORE;
