import { countEmpty } from "./grid.js";
import type { Cells } from "./player.js";

/** The placer's side of games on one shape. */
export interface Placer {
  /** Its name in commands, including its depth: `evil:2`. */
  readonly name: string;
  /**
   * Places a tile on an afterstate, which has an empty cell.
   *
   * @param random returns random numbers in [0, 1)
   */
  place(cells: Cells, random: () => number): void;
}

/** The chance that the ordinary game places a 4. */
const CHANCE_OF_FOUR = 0.1;

/**
 * The placer of the ordinary game: any empty cell with equal probability; a 2 with 90 %, a 4 with
 * 10 %.
 */
export const randomPlacer: Placer = {
  name: "random",
  place(cells, random) {
    let skip = Math.floor(random() * countEmpty(cells));
    for (let cell = 0; ; cell++) {
      if (cells[cell] !== 0 || skip-- > 0) continue;
      cells[cell] = random() < CHANCE_OF_FOUR ? 2 : 1;
      return;
    }
  },
};

/** Places the two random tiles with which a game begins on an empty board. */
export function placeStart(cells: Cells, random: () => number): void {
  randomPlacer.place(cells, random);
  randomPlacer.place(cells, random);
}

/**
 * Makes the placement after which the position is worth least to the slider; among equal ones, in
 * the first cell in reading order, and a 2 before a 4.
 */
export function placeWorst(cells: Cells, worthOf: (position: Cells) => number): void {
  let least = Number.POSITIVE_INFINITY;
  let [bestCell, bestExponent] = [0, 0];
  for (let cell = 0; cell < cells.length; cell++) {
    if (cells[cell] !== 0) continue;
    for (const exponent of [1, 2]) {
      cells[cell] = exponent;
      const worth = worthOf(cells);
      if (worth < least) [least, bestCell, bestExponent] = [worth, cell, exponent];
    }
    cells[cell] = 0;
  }
  cells[bestCell] = bestExponent;
}
