import { starts, tileSum } from "@gridlock/game";
import { ALL_SLIDES, type Grid, ILLEGAL } from "./grid.js";
import { KeyIndex } from "./key-index.js";
import type { Codes, Layer, Layers } from "./layers.js";

/** The objective of the game: a value of each board, a whole number from 0 up. */
export interface Objective {
  /** Returns the value of an end state. */
  end(code: number): number;
  /** True if a slide's points are added to the value of its afterstate. */
  readonly scored: boolean;
  /** Aim of the placer: an adversary minimizes the value, a helper maximizes it. */
  readonly placer: "adversary" | "helper";
}

/** A layer with the value of each of its boards, in the same order. */
export interface ValuedLayer extends Layer {
  readonly positionValues: Float64Array;
  readonly afterstateValues: Float64Array;
}

/** An index of a layer's canonical positions, and their values by their numbers in it. */
export interface PositionValues {
  readonly index: KeyIndex;
  readonly values: Float64Array;
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
 * each layer to `visit`, which may keep its arrays; the sweep itself retains three layers.
 */
export function valueLayers(
  { game, grid, layers }: Layers,
  objective: Objective,
  visit: (layer: ValuedLayer) => void,
): void {
  /** Turns values into what the placer minimizes, and back. */
  const signed = (values: Float64Array) =>
    objective.placer === "helper" ? values.map((value) => -value) : values;
  /** Layers above that a placement can reach, by their sum. */
  const above = new Map<number, PositionValues>();
  for (let i = layers.length - 1; i >= 0; i--) {
    const layer = layers[i] as Layer;
    const { sum, positions, afterstates } = layer;
    const targets = game.tiles.map((tile) => above.get(sum + tile) as PositionValues);
    const least = new Float64Array(afterstates.length);
    valueAfterstates(grid, afterstates, { means: 0, count: 1 }, targets, least);
    const afterstateValues = signed(least);
    const slid = KeyIndex.of(afterstates);
    const positionValues = new Float64Array(positions.length);
    positions.forEach((position, n) => {
      let value = ILLEGAL;
      grid.set(position);
      for (const direction of ALL_SLIDES) {
        const code = grid.slideToCanonical(direction);
        if (code === ILLEGAL) continue;
        const then = afterstateValues[slid.find(code)] as number;
        const worth = objective.scored ? grid.score(direction) + then : then;
        if (worth > value) value = worth;
      }
      positionValues[n] = value === ILLEGAL ? objective.end(position) : value;
    });
    above.delete(sum + 4);
    above.set(sum, { index: KeyIndex.of(positions), values: signed(positionValues) });
    visit({ ...layer, positionValues, afterstateValues });
  }
}

/**
 * Values afterstates of one tile sum by the positions that placements lead to. Both have several
 * values, one after another; the first `means` of an afterstate are the averages over its cells and
 * over the chances of the tiles, the others the least.
 *
 * @param targets the positions after a 2 is placed, then those after a 4, each with its chance, which
 *   only averages need
 * @param to filled with the values, `count` of each afterstate
 */
export function valueAfterstates(
  grid: Grid,
  afterstates: Codes,
  { means, count }: { readonly means: number; readonly count: number },
  targets: readonly (PositionValues & { readonly chance?: number })[],
  to: Float64Array,
): void {
  for (let n = 0; n < afterstates.length; n++) {
    const at = n * count;
    to.fill(0, at, at + means);
    to.fill(Number.POSITIVE_INFINITY, at + means, at + count);
    grid.images(afterstates[n] as number);
    const exponents = grid.exponents(afterstates[n] as number);
    let empty = 0;
    for (let cell = 0; cell < exponents.length; cell++) if (exponents[cell] === 0) empty++;
    for (let i = 0; i < targets.length; i++) {
      const { index, values, chance = 0 } = targets[i] as (typeof targets)[number];
      const weight = chance / empty;
      for (let cell = 0; cell < exponents.length; cell++) {
        if (exponents[cell] !== 0) continue;
        const from = index.find(grid.placeToCanonical(cell, i + 1)) * count;
        for (let j = 0; j < means; j++) {
          to[at + j] = (to[at + j] as number) + weight * (values[from + j] as number);
        }
        for (let j = means; j < count; j++) {
          const value = values[from + j] as number;
          if (value < (to[at + j] as number)) to[at + j] = value;
        }
      }
    }
  }
}
