import type { LayerFile } from "./layer-file.js";
import { encodeBlocks, type StoredLayer } from "./layer-format.js";
import type { TabulationRun } from "./run.js";
import type { Sweep } from "./sweep.js";
import { sweepBack } from "./sweep-back.js";

/**
 * Values all positions, layer by layer from the last to the first, and writes each column of values
 * to its file; continues after the layers that all incomplete files have. Returns false if it was
 * stopped before it finished.
 *
 * @param positions the complete file of the positions
 */
export async function tabulateValues(
  positions: LayerFile,
  files: readonly LayerFile[],
  run: TabulationRun,
): Promise<boolean> {
  for (const file of files) file.mend(run.onRepair);
  const descending = positions.layers.toReversed();
  for (const file of files) {
    if (file.layers.every(({ sum }, i) => sum === descending[i]?.sum)) continue;
    run.onRepair?.(`${file.file} has layers that the positions lack; recomputing it`);
    file.truncate(0);
  }
  const open = files.filter((file) => !file.complete);
  const [first] = open;
  if (first === undefined) return true;
  const done = Math.min(...open.map((file) => file.layers.length));
  for (const file of open) file.truncate(done);
  const sweep = run.sweep();
  sweep.growFor(positions.layers);
  const missing = descending.slice(done);
  if (missing[0] !== undefined) prepareBack(sweep, positions, files, missing[0].sum);
  for await (const layer of sweepBack(sweep, positions, missing, "value", run.signal)) {
    const { sum, positions: count } = layer;
    for (const file of open) {
      const encoded = encodeBlocks(file.column, sweep.boards(sum, count), sweep.values(sum, count));
      file.append({ sum, positions: count, afterstates: 0, terminals: 0 }, encoded);
    }
    run.onProgress?.({
      doing: "values",
      sum,
      layers: first.layers.length,
      positionsInAll: positions.count,
      positions: first.count,
    });
  }
  if (first.layers.length < descending.length) return false;
  for (const file of open) file.finish();
  return true;
}

/**
 * Brings the tables to their state before the positions of a sum are valued: they hold the
 * positions of the sums that a placement leads to, with their values.
 */
function prepareBack(
  sweep: Sweep,
  positions: LayerFile,
  files: readonly LayerFile[],
  sum: number,
): void {
  sweep.clear();
  for (const tile of positions.game.tiles) {
    const layer = positions.layer(sum + tile);
    if (layer === undefined) continue;
    positions.read(layer, sweep.boards(layer.sum, layer.positions));
    const values = sweep.values(layer.sum, layer.positions);
    for (let i = 0; i < values.length; i++) values[i] = i % 2 === 0 ? 1 << 16 : 0; // for absent columns
    for (const file of files) file.read(file.layer(layer.sum) as StoredLayer, values);
    sweep.fill(layer.sum, layer.positions);
  }
}
