import type { LayerFile } from "./layer-file.js";
import { mend } from "./mend.js";
import type { TabulationRun } from "./run.js";
import { sweepForward } from "./sweep-forward.js";

/**
 * Finds and stores the positions that play can reach; continues after the layers in the file.
 * Returns false if it was stopped before it found all.
 */
export async function tabulatePositions(file: LayerFile, run: TabulationRun): Promise<boolean> {
  mend(file, run);
  if (file.complete) return true;
  const done = await sweepForward(run.sweep(), file, run.signal, ({ sum }) => {
    run.onProgress?.({
      doing: "positions",
      sum,
      layers: file.layers.length,
      positionsInAll: undefined,
      positions: file.count,
    });
  });
  if (done) file.finish();
  return done;
}
