import type { Direction, Shape } from "@gridlock/game";
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
