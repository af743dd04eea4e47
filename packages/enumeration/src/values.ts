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
  readonly positionValues: Int32Array;
  readonly afterstateValues: Int32Array;
}

/** An index of a layer's canonical positions, and their values by their numbers in it. */
export interface PositionValues {
  readonly index: KeyIndex;
  readonly values: Int32Array;
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
  /** Layers above that a placement can reach, by their sum. */
  const above = new Map<number, PositionValues>();
  for (let i = layers.length - 1; i >= 0; i--) {
    const layer = layers[i] as Layer;
    const { sum, positions, afterstates } = layer;
    const targets = game.tiles.map((tile) => above.get(sum + tile));
    const afterstateValues = valueAfterstates(grid, afterstates, targets, objective.placer);
    const slid = KeyIndex.of(afterstates);
    const positionValues = new Int32Array(positions.length);
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
    above.set(sum, { index: KeyIndex.of(positions), values: positionValues });
    visit({ ...layer, positionValues, afterstateValues });
  }
}

/**
 * Values afterstates of one tile sum by the placement that suits the placer best.
 *
 * @param targets the positions after a 2 is placed, then after a 4; `undefined` if that tile is not
 * placed
 */
export function valueAfterstates(
  grid: Grid,
  afterstates: Codes,
  targets: readonly (PositionValues | undefined)[],
  placer: Objective["placer"],
): Int32Array {
  const helped = placer === "helper";
  const reached = targets.flatMap((target, i) =>
    target === undefined ? [] : [{ exponent: i + 1, ...target }],
  );
  const found = new Int32Array(afterstates.length);
  afterstates.forEach((afterstate, n) => {
    let value = helped ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    grid.images(afterstate);
    const exponents = grid.exponents(afterstate);
    for (let cell = 0; cell < grid.cells; cell++) {
      if (exponents[cell] !== 0) continue;
      for (const { exponent, index, values } of reached) {
        const worth = values[index.find(grid.placeToCanonical(cell, exponent))] as number;
        if (helped ? worth > value : worth < value) value = worth;
      }
    }
    found[n] = value;
  });
  return found;
}
