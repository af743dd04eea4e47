import { DIRECTIONS, type Direction, type Shape } from "@gridlock/game";
import { ILLEGAL } from "./grid.js";
import type { Cells } from "./player.js";

/**
 * The rules of sliding for a search, which need not be those of the game. `Grid` is one
 * implementation.
 */
export interface Slider {
  /** Slides `from` and writes the result to `to`; returns the points earned, or `ILLEGAL`. */
  slide(from: Cells, direction: Direction, to: Cells): number;
}

/** Makes the slider of a shape. */
export type SliderMaker = (shape: Shape) => Slider;

/** Returns whether no slide of a position is legal. */
export function isEnd(cells: Cells, slider: Slider): boolean {
  const after = new Uint8Array(cells.length);
  return DIRECTIONS.every((direction) => slider.slide(cells, direction, after) === ILLEGAL);
}
