import type { LayerFile } from "./layer-file.js";
import type { StoredLayer } from "./layer-format.js";
import type { Sweep } from "./sweep.js";

/**
 * Values layers, each by the two above it, whose values are in the tables. Yields each valued layer
 * while its lists are still filled; ends early when the signal is aborted.
 *
 * @param positions the file of their positions
 * @param layers in descending order of their sums
 * @param step of each layer
 */
export async function* sweepBack(
  sweep: Sweep,
  positions: LayerFile,
  layers: readonly StoredLayer[],
  step: "value" | "survey",
  signal: AbortSignal | undefined,
): AsyncGenerator<StoredLayer, void, void> {
  const list = (layer: StoredLayer) =>
    positions.read(layer, sweep.boards(layer.sum, layer.positions));
  if (layers[0]) list(layers[0]);
  for (const [i, layer] of layers.entries()) {
    const valuing = sweep[step](layer.sum, layer.positions);
    valuing.catch(() => {}); // reported when awaited, unless something else fails first
    // While the threads value a layer, report the previous one and load the next into the other
    // list.
    if (i > 0) yield layers[i - 1] as StoredLayer;
    const next = layers[i + 1];
    if (next) list(next);
    await valuing;
    sweep.fill(layer.sum, layer.positions);
    if (next === undefined || signal?.aborted) {
      yield layer;
      return;
    }
  }
}
