import type { LayerCount, Sweep } from "./sweep.js";
import type { PositionLayers } from "./sweep-forward.js";

/**
 * Values layers, each by those above it, whose values are in the tables. Yields each valued layer
 * while its list and its table are still filled; ends early when the signal is aborted.
 *
 * @param layers in descending order of their sums
 * @param step of each layer
 */
export async function* sweepBack<Layer extends LayerCount>(
  sweep: Sweep,
  found: Pick<PositionLayers<Layer>, "read">,
  layers: readonly Layer[],
  step: "value" | "survey",
  signal: AbortSignal | undefined,
): AsyncGenerator<Layer, void, void> {
  const list = (layer: Layer) => found.read(layer, sweep.boards(layer.sum, layer.positions));
  if (layers[0]) list(layers[0]);
  for (const [i, layer] of layers.entries()) {
    const valuing = sweep[step](layer.sum, layer.positions);
    valuing.catch(() => {}); // reported when awaited, unless something else fails first
    // While the threads value a layer, report the previous one and load the next into the other
    // list.
    if (i > 0) yield layers[i - 1] as Layer;
    const next = layers[i + 1];
    if (next) list(next);
    await valuing;
    if (next === undefined || signal?.aborted) {
      yield layer;
      return;
    }
  }
}
