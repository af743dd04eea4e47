import type { LayerFile } from "./layer-file.js";
import type { StoredLayer } from "./layer-format.js";
import type { TabulationRun } from "./run.js";

/**
 * Checks every block of a file and repairs damage. A damaged layer is recomputed from the layers
 * before it and written back in place. Data after the last layer that can be reached head by head
 * is dropped.
 *
 * @param remake recomputes a layer: its positions and the file's data for them, both as pairs of
 * words
 */
export async function mend(
  file: LayerFile,
  { onRepair }: TabulationRun,
  remake: (layer: StoredLayer) => Promise<{ boards: Uint32Array; pairs: Uint32Array }>,
): Promise<void> {
  if (file.headMended) onRepair?.(`the head of ${file.file} was damaged; it has been rewritten`);
  if (!file.complete) {
    const cut = file.truncate(file.layers.length);
    if (cut > 0)
      onRepair?.(`${file.file} ends in ${cut} bytes of incomplete data; recomputing them`);
  }
  for (const damage of file.damages()) {
    onRepair?.(`${file.describe(damage)} is damaged; recomputing it`);
    const { boards, pairs } = await remake(damage.layer);
    if (file.rewrite(damage.layer, boards, pairs)) continue;
    file.truncate(file.layers.indexOf(damage.layer)); // everything from there on is recomputed
    return;
  }
}
