import type { LayerFile } from "./layer-file.js";
import { encodeBlocks, type StoredLayer } from "./layer-format.js";
import { mend } from "./mend.js";
import type { TabulationRun } from "./run.js";
import type { Sweep } from "./sweep.js";

/**
 * Values all positions, layer by layer from the last back, and writes each column of values into its file; goes on
 * behind the layers that all of the incomplete ones have. Returns false if it was stopped before all was done.
 *
 * @param positions the complete file of the positions
 */
export async function tabulateValues(
  positions: LayerFile,
  files: readonly LayerFile[],
  run: TabulationRun,
): Promise<boolean> {
  for (const file of files) {
    await mend(file, run, async ({ sum }) => {
      const sweep = await roomySweep(positions, run);
      stand(sweep, positions, [file], sum);
      const layer = positions.layer(sum) as StoredLayer;
      load(sweep, positions, layer);
      await sweep.value(sum, layer.positions);
      return {
        boards: sweep.boards(sum, layer.positions),
        pairs: sweep.values(sum, layer.positions),
      };
    });
  }
  const descending = positions.layers.toReversed();
  for (const file of files) {
    if (file.layers.every(({ sum }, i) => sum === descending[i]?.sum)) continue;
    run.onRepair?.(`${file.file} has layers that the positions have not; it is made again`);
    file.keep(0);
  }
  const open = files.filter((file) => !file.complete);
  if (open.length === 0) return true;
  const done = Math.min(...open.map((file) => file.layers.length));
  for (const file of open) file.keep(done);
  const sweep = await roomySweep(positions, run);
  const first = descending[done];
  if (first !== undefined) {
    stand(sweep, positions, files, first.sum);
    load(sweep, positions, first);
  }
  let valued = descending.slice(0, done).reduce((count, layer) => count + layer.positions, 0);
  /** Writes a layer down that the lists still have. */
  const write = ({ sum, positions: count }: StoredLayer, layers: number) => {
    for (const file of open) {
      const encoded = encodeBlocks(file.column, sweep.boards(sum, count), sweep.values(sum, count));
      file.append({ sum, positions: count, afterstates: 0, terminals: 0 }, encoded);
    }
    valued += count;
    const layersInAll = descending.length;
    run.onProgress?.({ doing: "values", sum, layers, layersInAll, positions: valued });
  };
  for (let i = done; i < descending.length; i++) {
    const layer = descending[i] as StoredLayer;
    const valuing = sweep.value(layer.sum, layer.positions);
    valuing.catch(() => {}); // told when it is awaited, if nothing else fails before
    // While the threads value a layer, the one before is written and the next one read, in the other list.
    if (i > done) write(descending[i - 1] as StoredLayer, i);
    const next = descending[i + 1];
    if (next !== undefined) load(sweep, positions, next);
    await valuing;
    sweep.fill(layer.sum, layer.positions);
    if (next === undefined || run.signal?.aborted) {
      write(layer, i + 1);
      if (next !== undefined) return false;
    }
  }
  for (const file of open) file.finish();
  return true;
}

/** The sweep, with room for every layer of the game. */
async function roomySweep({ layers }: LayerFile, run: TabulationRun): Promise<Sweep> {
  const sweep = await run.sweep();
  const most = layers.reduce(
    (most, { positions, afterstates }) => Math.max(most, positions, afterstates),
    0,
  );
  while (most > sweep.capacity) await sweep.grow();
  return sweep;
}

/** Brings the tables to where they are before the positions of a sum are valued: they have those of the two sums above. */
function stand(sweep: Sweep, positions: LayerFile, files: readonly LayerFile[], sum: number): void {
  sweep.clear();
  for (const above of [sum + 4, sum + 2]) {
    const layer = positions.layer(above);
    if (layer === undefined) continue;
    load(sweep, positions, layer);
    const values = sweep.values(above, layer.positions);
    for (let i = 0; i < values.length; i++) values[i] = i % 2 === 0 ? 1 : 0; // for columns that are not there
    for (const file of files) file.read(file.layer(above) as StoredLayer, values);
    sweep.fill(above, layer.positions);
  }
}

function load(sweep: Sweep, positions: LayerFile, layer: StoredLayer): void {
  positions.read(layer, sweep.boards(layer.sum, layer.positions));
}
