import type { StoredLayer } from "./layer-format.js";
import type { Sweep } from "./sweep.js";

/** Steps for each layer of a sweep from the last layer to the first. */
export interface LayerSteps {
  /** Loads a layer's positions into their list. */
  list(layer: StoredLayer): void;
  /** Values the listed positions with the threads. */
  value(layer: StoredLayer): Promise<void>;
  /** Receives a valued layer while its lists are still filled. */
  onValued(layer: StoredLayer): void;
}

/**
 * Values layers, each by the two above it, whose values are in the tables. Returns false if it was
 * stopped before it valued all.
 *
 * @param layers in descending order of their sums
 */
export async function sweepBack(
  sweep: Sweep,
  layers: readonly StoredLayer[],
  signal: AbortSignal | undefined,
  { list, value, onValued }: LayerSteps,
): Promise<boolean> {
  const [first] = layers;
  if (first !== undefined) list(first);
  for (const [i, layer] of layers.entries()) {
    const valuing = value(layer);
    valuing.catch(() => {}); // reported when awaited, unless something else fails first
    // While the threads value a layer, report the previous one and load the next into the other
    // list.
    if (i > 0) onValued(layers[i - 1] as StoredLayer);
    const next = layers[i + 1];
    if (next !== undefined) list(next);
    await valuing;
    sweep.fill(layer.sum, layer.positions);
    if (next === undefined || signal?.aborted) {
      onValued(layer);
      if (next !== undefined) return false;
    }
  }
  return true;
}
