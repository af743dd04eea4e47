import { type LayerCount, type Sweep, TOO_FULL } from "./sweep.js";

/** Smallest tile sum of a start. */
const FIRST_SUM = 4;

/** Positions by layers of one tile sum, in a file or in memory. */
export interface PositionLayers<Layer extends LayerCount = LayerCount> {
  /** One for each sum, in ascending order, so that each has another list than the next. */
  readonly layers: readonly Layer[];
  /** Reads a layer's positions into a list: in ascending order, 64 bits each, low half first. */
  read(layer: Layer, boards: Uint32Array): void;
  /**
   * Copies the positions of the next layer from a list; returns a function that appends them once
   * the layer's counts are known.
   */
  prepare(boards: Uint32Array): (count: LayerCount) => void;
}

/**
 * Finds the positions that play can reach, layer by layer from the starts; continues after the
 * layers that there are. Returns false if it was stopped before it found all.
 *
 * @param onLayer called after each layer
 */
export async function sweepForward(
  sweep: Sweep,
  found: PositionLayers,
  signal: AbortSignal | undefined,
  onLayer: (layer: LayerCount) => void,
): Promise<boolean> {
  let sum = (found.layers.at(-1)?.sum ?? FIRST_SUM - 2) + 2;
  await prepareForward(sweep, found, sum);
  while (!sweep.isEmptyFrom(sum)) {
    if (signal?.aborted) return false;
    const positions = sweep.gather(sum);
    const expanding = sweep.expand(sum, positions);
    expanding.catch(() => {}); // reported when awaited, unless something else fails first
    const append = found.prepare(sweep.boards(sum, positions));
    const expansion = await expanding;
    if (expansion === TOO_FULL) {
      sweep.grow();
      await prepareForward(sweep, found, sum);
      continue;
    }
    const layer = { sum, positions, ...expansion };
    append(layer);
    onLayer(layer);
    sum += 2;
  }
  return true;
}

/**
 * Brings the tables to their state before the positions of a sum are gathered: they hold the
 * positions of this sum and of larger ones that follow from those below, but for the starts.
 */
async function prepareForward(sweep: Sweep, found: PositionLayers, sum: number): Promise<void> {
  const least = sum - Math.max(...sweep.tiles);
  const below = found.layers.filter((layer) => layer.sum >= least && layer.sum < sum);
  for (;;) {
    sweep.clear();
    if (await follow(sweep, found, below)) return;
    sweep.grow();
  }
}

/** Adds the successors of layers to the tables; returns false if the tables are too small. */
async function follow(
  sweep: Sweep,
  found: PositionLayers,
  layers: readonly LayerCount[],
): Promise<boolean> {
  for (const layer of layers) {
    const { sum, positions } = layer;
    if (positions > sweep.capacity) return false;
    sweep.drop(sum);
    found.read(layer, sweep.boards(sum, positions));
    if ((await sweep.expand(sum, positions)) === TOO_FULL) return false;
  }
  return true;
}
