import type { Direction, Shape } from "@gridlock/game";
import type { Cells } from "./player.js";

/** What a search takes for the rules of sliding, which need not be those of the game. `Grid` is one. */
export interface Slider {
  /** Slides `from` and writes what results to `to`; returns the points that it earns, or `ILLEGAL`. */
  slide(from: Cells, direction: Direction, to: Cells): number;
}

/** Makes the slider of a shape. */
export type SliderMaker = (shape: Shape) => Slider;
