import type { StoredLayer } from "./layer-format.js";
import type { Sweep } from "./sweep.js";

/** What is done with each layer that is swept, from the last back. */
export interface LayerSteps {
  /** Lists a layer's positions. */
  list(layer: StoredLayer): void;
  /** Has the threads value the listed positions. */
  value(layer: StoredLayer): Promise<void>;
  /** Told of a layer that is valued, while the lists still have it. */
  onValued(layer: StoredLayer): void;
}

/**
 * Values layers, each by the two above it, which the tables have. Returns false if it was stopped before all were valued.
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
    valuing.catch(() => {}); // told when it is awaited, if nothing else fails before
    // While the threads value a layer, the one before is told of and the next one listed, in the other list.
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
