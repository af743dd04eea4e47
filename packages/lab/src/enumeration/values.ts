import { starts, tileSum } from "@gridlock/game";
import { ALL_SLIDES, EVERY_SLIDE, type Grid, ILLEGAL } from "./grid.js";
import type { Layer, Layers } from "./layers.js";
import { type Columns, sweepBack } from "./sweep-back.js";

/** The objective of the game: a value of each board, a whole number from 0 up. */
export interface Objective {
  /** Returns the value of an end state. */
  end(code: number): number;
  /** True if a slide's points are added to the value of its afterstate. */
  readonly scored: boolean;
  /** Aim of the placer: an adversary minimizes the value, a helper maximizes it. */
  readonly placer: "adversary" | "helper";
}

/** A layer with its afterstates, and the value of each of its boards, in the same order. */
export interface ValuedLayer extends Layer {
  readonly afterstates: Float64Array;
  readonly positionValues: Float64Array;
  readonly afterstateValues: Float64Array;
}

/** Returns the starts whose tile sum is that of a layer, each with its value. */
export function valuedStarts(
  grid: Grid,
  { sum, positions, positionValues }: ValuedLayer,
): { readonly code: number; readonly value: number }[] {
  return starts(grid.shape)
    .filter((start) => tileSum(start) === sum)
    .map((start) => {
      const code = grid.encode(start);
      return { code, value: positionValues[positions.indexOf(code)] as number };
    });
}

/**
 * Values every board, the highest tile sum first: a position is worth its best slide, or the value
 * of its end state, and an afterstate its worst placement, or its best if the placer helps. Passes
 * each layer to `visit`, which may keep its arrays.
 */
export function valueLayers(
  { game, grid, layers }: Layers,
  { end, scored, placer }: Objective,
  visit: (layer: ValuedLayer) => void,
): void {
  /** Turns values into what the placer minimizes, and back. */
  const sign = placer === "helper" ? -1 : 1;
  const columns: Columns<Layer> = {
    means: 0,
    count: 1,
    slidesOf: () => EVERY_SLIDE,
    value({ positions }, n, slides, values) {
      let value = ILLEGAL;
      for (const slide of ALL_SLIDES) {
        const score = slides.score(slide);
        if (score === ILLEGAL) continue;
        value = Math.max(value, (scored ? score : 0) + sign * slides.after(slide, 0));
      }
      values[n] = sign * (value === ILLEGAL ? end(positions[n] as number) : value);
    },
  };
  const tiles = game.tiles.map((tile) => [tile, 0] as const);
  for (const swept of sweepBack(grid, tiles, layers.toReversed(), columns)) {
    visit({
      ...swept.layer,
      afterstates: swept.afterstates,
      positionValues: swept.values.map((value) => sign * value),
      afterstateValues: swept.afterstateValues.map((value) => sign * value),
    });
  }
}
