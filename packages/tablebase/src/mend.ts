import type { LayerFile } from "./layer-file.js";
import type { StoredLayer } from "./layer-format.js";
import type { TabulationRun } from "./run.js";

/**
 * Checks a file by its content: layers of which a block is not what was written are made again from those that came
 * before them, and written where they were. What follows the last layer that can be walked to is forgotten.
 *
 * @param remake the positions of a layer, and what the file tells of them, both as pairs of words
 */
export async function mend(
  file: LayerFile,
  { onRepair }: TabulationRun,
  remake: (layer: StoredLayer) => Promise<{ boards: Uint32Array; pairs: Uint32Array }>,
): Promise<void> {
  if (file.headMended)
    onRepair?.(`the head of ${file.file} was not what was written; it is made again`);
  if (!file.complete) {
    const cut = file.keep(file.layers.length);
    if (cut > 0)
      onRepair?.(`${file.file} goes on with ${cut} bytes that are not whole; they are made again`);
  }
  for (const damage of file.damages()) {
    onRepair?.(`${file.describe(damage)} is not what was written; it is made again`);
    const { boards, pairs } = await remake(damage.layer);
    if (file.rewrite(damage.layer, boards, pairs)) continue;
    file.keep(file.layers.indexOf(damage.layer)); // all from there on is made again
    return;
  }
}
