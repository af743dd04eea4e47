import { ALL_SLIDES, type Grid, ILLEGAL } from "./grid.js";
import { KeyIndex } from "./key-index.js";
import type { Codes, Layer } from "./layers.js";

/** The number of slides, and of entries for each position in arrays of slides. */
export const SLIDES = ALL_SLIDES.length;

/** The slides of a position. */
interface SlideValues {
  /** Returns the points of a slide, or `ILLEGAL` if it is illegal or not followed. */
  score(slide: number): number;
  /** Returns a value of the afterstate of a slide that is followed, by its column. */
  after(slide: number, column: number): number;
}

/**
 * The values of a sweep: several numbers for each board. For an afterstate, the first `means` of
 * them are the averages over placements in the ordinary game, and the others the least over
 * placements; those of a position follow from the afterstates of its slides.
 */
export interface Columns<L extends Layer> {
  readonly means: number;
  readonly count: number;
  /** Returns a bit for each slide to be followed in a position, that of `DIRECTIONS[0]` lowest. */
  slidesOf(layer: L, position: number): number;
  /**
   * Values a position.
   *
   * @param values filled with the values of the position, `count` of them
   */
  value(layer: L, position: number, slides: SlideValues, values: Float64Array): void;
}

/** A layer with the values of its boards, one after another. */
export interface SweptLayer<L extends Layer> {
  readonly layer: L;
  readonly index: KeyIndex;
  readonly values: Float64Array;
  /** Codes of the afterstates, in the order in which slides of the positions first lead to them. */
  readonly afterstates: Float64Array;
  readonly afterstateValues: Float64Array;
}

/**
 * Values the positions of layers from the highest tile sum to the lowest. Memory holds the values
 * of three layers of positions and of one of afterstates, 8 bytes each.
 *
 * @param tiles the tiles of the placer, each with its chance, which only averages need
 */
export function* sweepBack<L extends Layer>(
  grid: Grid,
  tiles: readonly (readonly [tile: number, chance: number])[],
  layers: Iterable<L>,
  columns: Columns<L>,
): Generator<SweptLayer<L>> {
  const { count } = columns;
  const above = new Map<number, Above>();
  for (const layer of layers) {
    const { sum, positions } = layer;
    const { afterstates, scores, slid } = followSlides(grid, layer, columns);
    const after = new Float64Array(slid.size * count);
    const targets = tiles.map(([tile, chance]) => ({
      ...(above.get(sum + tile) as Above),
      chance,
    }));
    const codes = slid.keys();
    valueAfterstates(grid, codes, columns, targets, after);
    for (const sumAbove of above.keys()) if (sumAbove > sum + 2) above.delete(sumAbove);
    const values = new Float64Array(positions.length * count);
    let at = 0;
    const slides: SlideValues = {
      score: (slide) => scores[at + slide] as number,
      after: (slide, column) =>
        after[(afterstates[at + slide] as number) * count + column] as number,
    };
    for (let n = 0; n < positions.length; n++) {
      at = SLIDES * n;
      columns.value(layer, n, slides, values);
    }
    const index = new KeyIndex(positions.length);
    for (const position of positions) index.add(position);
    above.set(sum, { index, values });
    yield { layer, index, values, afterstates: codes, afterstateValues: after };
  }
}

/** An index of a layer's canonical positions, and their values by their numbers in it. */
interface Above {
  readonly index: KeyIndex;
  readonly values: Float64Array;
}

/** Slides a layer's positions: numbers the afterstates; lists each position's, and the points. */
function followSlides<L extends Layer>(grid: Grid, layer: L, columns: Columns<L>) {
  const { positions } = layer;
  const afterstates = new Int32Array(SLIDES * positions.length);
  const scores = new Int32Array(SLIDES * positions.length).fill(ILLEGAL);
  const slid = new KeyIndex(positions.length);
  for (let n = 0; n < positions.length; n++) {
    const followed = columns.slidesOf(layer, n);
    if (followed === 0) continue;
    grid.set(positions[n] as number);
    for (const slide of ALL_SLIDES) {
      if ((followed & (1 << slide)) === 0) continue;
      const code = grid.slideToCanonical(slide);
      if (code === ILLEGAL) continue;
      afterstates[SLIDES * n + slide] = slid.add(code);
      scores[SLIDES * n + slide] = grid.score(slide);
    }
  }
  return { afterstates, scores, slid };
}

/**
 * Values afterstates of one tile sum by the positions that placements lead to.
 *
 * @param targets the positions after a 2 is placed, then those after a 4
 * @param to filled with the values, `count` of each afterstate
 */
function valueAfterstates(
  grid: Grid,
  afterstates: Codes,
  { means, count }: { readonly means: number; readonly count: number },
  targets: readonly (Above & { readonly chance: number })[],
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
      const { index, values, chance } = targets[i] as (typeof targets)[number];
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
