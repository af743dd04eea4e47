import { DIRECTIONS, type Direction } from "@gridlock/game";
import { ILLEGAL, isEnd, type Slider } from "./grid.js";
import type { Cells } from "./player.js";

/** The objective of an expectimax. */
export interface ExpectimaxRules {
  /** True if the points of merges are added to a slide's worth. */
  readonly addsPoints: boolean;
  /** True if a slide is worth the mean over its empty cells, as in the game, and not their sum. */
  readonly takesMean: boolean;
  /**
   * The worth of a position without a legal slide, and the least worth of any; `undefined` if the
   * heuristic applies to these positions, too.
   */
  readonly lost: number | undefined;
  /**
   * True if that also applies to positions at the horizon, whose slides some sources do not try.
   */
  readonly seesLossAtHorizon: boolean;
}

/**
 * The search of an expectimax on a shape, for positions; depths are in slides, each with its
 * placement.
 */
export interface Expectimax {
  /**
   * Returns the worth of each direction when the search looks `depth` slides ahead, in the order of
   * `DIRECTIONS`; −∞ for illegal ones. The next call overwrites the array.
   */
  worths(cells: Cells, depth: number): Float64Array;
  /**
   * The positions that the last call looked at, repetitions and the root included, by the plain
   * algorithm's count.
   */
  readonly visits: number;
}

/** The probabilities of the tiles that are placed, by exponent. */
export const CHANCES = [
  [1, 0.9],
  [2, 0.1],
] as const;

/** Textbook expectimax on boards of any shape, with which other versions are compared. */
export function plainExpectimax(
  slider: Slider,
  { addsPoints, takesMean, lost, seesLossAtHorizon }: ExpectimaxRules,
  heuristic: (cells: Cells) => number,
): Expectimax {
  const found = new Float64Array(DIRECTIONS.length);
  let visits = 0;
  /** Returns the worth of a slide, −∞ if it is illegal. */
  const slide = (cells: Cells, direction: Direction, depth: number): number => {
    const after = new Uint8Array(cells.length);
    const points = slider.slide(cells, direction, after);
    if (points === ILLEGAL) return -Infinity;
    let sum = 0;
    let empty = 0;
    for (let cell = 0; cell < after.length; cell++) {
      if (after[cell] !== 0) continue;
      empty++;
      for (const [exponent, chance] of CHANCES) {
        after[cell] = exponent;
        sum += chance * position(after, depth - 1);
      }
      after[cell] = 0;
    }
    const worth = takesMean ? sum / empty : sum;
    return addsPoints ? points + worth : worth;
  };
  const position = (cells: Cells, depth: number): number => {
    visits++;
    if (depth === 0 && !(lost !== undefined && seesLossAtHorizon && isEnd(cells, slider))) {
      return heuristic(cells);
    }
    let best = -Infinity;
    if (depth > 0) {
      for (const direction of DIRECTIONS) best = Math.max(best, slide(cells, direction, depth));
    }
    if (lost !== undefined) return Math.max(best, lost);
    return best === -Infinity ? heuristic(cells) : best;
  };
  return {
    worths(cells, depth) {
      visits = 1;
      DIRECTIONS.forEach((direction, i) => {
        found[i] = slide(cells, direction, depth);
      });
      return found;
    },
    get visits() {
      return visits;
    },
  };
}
