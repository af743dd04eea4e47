import { cellCount, type Shape } from "@gridlock/game";
import { CHANCES } from "./expectimax.js";
import { Grid } from "./grid.js";
import { makeMinimax } from "./line-minimax.js";
import type { Placer } from "./placer.js";
import { LOST, ZAKY_AS_PUBLISHED, zakyHeuristic, zakyTerms } from "./zaky.js";

/** All directions, in order. */
const ORDER = [0, 1, 2, 3];

/**
 * Makes the placer known from "evil" versions of the game. After each placement it looks ahead by
 * minimax with the heuristic H of `zaky-minimax`, and takes the placement after which the slider's
 * best slide is worth least; among equal ones, the first cell in reading order, and a 2 before a 4.
 */
export function evilPlacer(shape: Shape, plies: number): Placer {
  const minimax = makeMinimax({
    shape,
    sliderOf: (of) => new Grid(of),
    rules: { lost: LOST, seesLossAtHorizon: true },
    mostPlies: plies,
    heuristic: (cells) => zakyHeuristic(shape, ZAKY_AS_PUBLISHED, cells),
    terms: zakyTerms(shape, ZAKY_AS_PUBLISHED),
  });
  const cellsOfShape = cellCount(shape);
  return {
    name: `evil:${plies}`,
    place(cells) {
      let least = Number.POSITIVE_INFINITY;
      let [bestCell, bestTile] = [0, 0];
      for (let cell = 0; cell < cellsOfShape; cell++) {
        if (cells[cell] !== 0) continue;
        for (const [exponent] of CHANCES) {
          cells[cell] = exponent;
          const worth = Math.max(LOST, ...minimax.worths(cells, plies, ORDER));
          cells[cell] = 0;
          if (worth < least) [least, bestCell, bestTile] = [worth, cell, exponent];
        }
      }
      cells[bestCell] = bestTile;
    },
  };
}
