import {
  ALL_SLIDES,
  type Codes,
  type Grid,
  ILLEGAL,
  KeyIndex,
  type PositionValues,
  valueAfterstates,
} from "@gridlock/enumeration";
import type { Game } from "@gridlock/game";
import { tileChances } from "@gridlock/tablebase";
import { Pauses } from "../pauses.js";

/** The number of slides, and of entries for each position or player in arrays of slides. */
export const SLIDES = ALL_SLIDES.length;

/** The positions of a tile sum. */
export interface PositionLayer {
  readonly sum: number;
  readonly positions: Codes;
}

/**
 * The values of a sweep: several numbers for each board. For an afterstate, the first `means` of
 * them are the averages over placements in the ordinary game, and the others the least over
 * placements; those of a position follow from the afterstates of its slides.
 */
export interface Columns<Layer extends PositionLayer> {
  readonly means: number;
  readonly count: number;
  /** Returns a bit for each slide to be followed in a position, that of `DIRECTIONS[0]` lowest. */
  slidesOf(layer: Layer, position: number): number;
  /**
   * Values a position.
   *
   * @param worth returns the points of a slide and a value of its afterstate, by its column; or
   *   `ILLEGAL` if the slide is illegal or not followed
   * @param values filled with the values of the position, `count` of them
   */
  value(
    layer: Layer,
    position: number,
    worth: (slide: number, column: number) => number,
    values: Float64Array,
  ): void;
}

/**
 * Values the positions of layers from the highest tile sum to the lowest. Memory holds the values
 * of three layers of positions and of one of afterstates, 8 bytes each.
 *
 * @param onLayer receives a layer's values, which are overwritten later
 */
export async function sweepBack<Layer extends PositionLayer>(
  grid: Grid,
  game: Game,
  layers: Iterable<Layer>,
  columns: Columns<Layer>,
  signal: AbortSignal | undefined,
  onLayer: (layer: Layer, index: KeyIndex, values: Float64Array) => void,
): Promise<void> {
  const { count } = columns;
  const above = new Map<number, PositionValues>();
  const pauses = new Pauses(signal);
  const spare: Float64Array[] = [];
  let after: Float64Array = new Float64Array();
  for (const layer of layers) {
    const { sum, positions } = layer;
    const { afterstates, scores, slid } = followSlides(grid, layer, columns);
    after = room([after], slid.size * count);
    const targets = tileChances(game).map(([tile, chance]) => ({
      ...(above.get(sum + tile) as PositionValues),
      chance,
    }));
    valueAfterstates(grid, slid.keys(), columns, targets, after);
    for (const [sumAbove, valued] of above) {
      if (sumAbove <= sum + 2) continue;
      above.delete(sumAbove);
      spare.push(valued.values);
    }
    const values = room(spare, positions.length * count);
    for (let n = 0; n < positions.length; n++) {
      const worth = (slide: number, column: number) => {
        const place = (afterstates[SLIDES * n + slide] as number) - 1;
        if (place < 0) return ILLEGAL;
        return (scores[SLIDES * n + slide] as number) + (after[place * count + column] as number);
      };
      columns.value(layer, n, worth, values);
    }
    const index = KeyIndex.of(positions);
    above.set(sum, { index, values });
    onLayer(layer, index, values);
    if (pauses.isDue) await pauses.take();
  }
}

/** Takes an array of at least this length, the last of the spare ones if it is long enough. */
function room(spare: Float64Array[], length: number): Float64Array {
  const old = spare.pop();
  return old !== undefined && old.length >= length
    ? old
    : new Float64Array(Math.ceil(1.2 * length));
}

/**
 * Slides a layer's positions: numbers the afterstates, and lists for each slide of each position the
 * number of its afterstate plus one, or 0, and its points.
 */
function followSlides<Layer extends PositionLayer>(
  grid: Grid,
  layer: Layer,
  columns: Columns<Layer>,
) {
  const { positions } = layer;
  const afterstates = new Int32Array(SLIDES * positions.length);
  const scores = new Int32Array(SLIDES * positions.length);
  const slid = new KeyIndex(positions.length);
  for (let n = 0; n < positions.length; n++) {
    const followed = columns.slidesOf(layer, n);
    if (followed === 0) continue;
    grid.set(positions[n] as number);
    for (const slide of ALL_SLIDES) {
      if ((followed & (1 << slide)) === 0) continue;
      const code = grid.slideToCanonical(slide);
      if (code === ILLEGAL) continue;
      afterstates[SLIDES * n + slide] = slid.add(code) + 1;
      scores[SLIDES * n + slide] = grid.score(slide);
    }
  }
  return { afterstates, scores, slid };
}
