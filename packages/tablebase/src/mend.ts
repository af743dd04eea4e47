import type { LayerFile } from "./layer-file.js";
import type { TabulationRun } from "./run.js";

/**
 * Checks every block of a file, and cuts off what is damaged or incomplete, with all that follows it:
 * the run then goes on from there, as after an interruption.
 */
export function mend(file: LayerFile, { onRepair }: TabulationRun): void {
  if (file.headMended) onRepair?.(`the head of ${file.file} was damaged; it has been rewritten`);
  if (!file.complete) {
    const cut = file.truncate(file.layers.length);
    if (cut > 0)
      onRepair?.(`${file.file} ends in ${cut} bytes of incomplete data; recomputing them`);
  }
  const damage = file.damage();
  if (damage === undefined) return;
  onRepair?.(`${file.describe(damage)} is damaged; recomputing the file from that layer on`);
  file.truncate(file.layers.indexOf(damage.layer));
}
