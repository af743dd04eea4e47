/**
 * Afterstates, with the points that a bound which ignored merges of unknown tiles would claim of
 * them. The placer can prevent each.
 */
export const FALSE_BOUNDS: readonly (readonly [afterstate: string, points: number])[] = [
  ["32 2 8 8/0 8 2 4", 76],
  ["4 2 8 0/16 2 32 4", 60],
  ["0 16 4 8/16 0 4 32", 120],
  ["8 4 0/8 32 4/8 4 4", 72],
  ["8 4 16/4 2 32/0 2 16", 124],
  ["8 4 32/16 2 2/0 16 8", 124],
  ["0 32 2 32 8/8 2 4 4 4", 84],
  ["2 4 8 0 8/8 8 4 8 4", 72],
];
