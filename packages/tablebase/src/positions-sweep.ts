import type { LayerFile } from "./layer-file.js";
import { encodeBlocks } from "./layer-format.js";
import { mend } from "./mend.js";
import type { TabulationRun } from "./run.js";
import { type Sweep, TOO_FULL } from "./sweep.js";

/** Smallest tile sum of a start. */
const FIRST_SUM = 4;

/**
 * Finds and stores the positions that play can reach, layer by layer from the starts; continues
 * after the layers in the file. Returns false if it was stopped before it found all.
 */
export async function tabulatePositions(file: LayerFile, run: TabulationRun): Promise<boolean> {
  await mend(file, run, async ({ sum }) => {
    const sweep = run.sweep();
    await stand(sweep, file, sum);
    const boards = sweep.boards(sum, sweep.gather(sum));
    return { boards, pairs: boards };
  });
  if (file.complete) return true;
  const sweep = run.sweep();
  let sum = (file.layers.at(-1)?.sum ?? FIRST_SUM - 2) + 2;
  await stand(sweep, file, sum);
  // Nothing follows the last layer but the end mark.
  while (!(sweep.isEmpty(sum) && sweep.isEmpty(sum + 2))) {
    if (run.signal?.aborted) return false;
    const count = sweep.gather(sum);
    const boards = sweep.boards(sum, count);
    const expanding = sweep.expand(sum, count);
    expanding.catch(() => {}); // reported when awaited, unless something else fails first
    const encoded = encodeBlocks(file.column, boards, boards);
    const expansion = await expanding;
    if (expansion === TOO_FULL) {
      sweep.grow();
      await stand(sweep, file, sum);
      continue;
    }
    file.append({ sum, positions: count, ...expansion }, encoded);
    run.onProgress?.({
      doing: "positions",
      sum,
      layers: file.layers.length,
      positionsInAll: undefined,
      positions: file.count,
    });
    sum += 2;
  }
  file.finish();
  return true;
}

/**
 * Restores the tables to their state before the positions of a sum are gathered: one table has all
 * of these, the other has the positions of `sum + 2` that follow a 4. Reads the layers below from
 * the file.
 */
async function stand(sweep: Sweep, file: LayerFile, sum: number): Promise<void> {
  for (;;) {
    sweep.clear();
    if ((await follow(sweep, file, sum - 4)) && (await follow(sweep, file, sum - 2))) return;
    sweep.grow();
  }
}

/**
 * Adds the successors of a sum's positions to the tables; returns false if the tables are too
 * small.
 */
async function follow(sweep: Sweep, file: LayerFile, sum: number): Promise<boolean> {
  const layer = file.layer(sum);
  const count = layer?.positions ?? 0;
  if (count > sweep.capacity) return false;
  sweep.drop(sum);
  if (layer !== undefined) file.read(layer, sweep.boards(sum, count));
  return (await sweep.expand(sum, count)) !== TOO_FULL;
}
