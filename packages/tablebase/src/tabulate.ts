import { cellCount, describeGame, formatShape, type Game, normalShape } from "@gridlock/game";
import { acquireLock } from "@gridlock/store";
import { columnFileOf, type ValueColumn } from "./columns.js";
import { LayerFile } from "./layer-file.js";
import { canTabulate, MAX_SWEEP_CELLS } from "./module.js";
import type { TabulateOptions, TabulationRun } from "./run.js";
import { planOf, Sweep } from "./sweep.js";
import { sweepForward } from "./sweep-forward.js";
import { tabulateValues } from "./values-sweep.js";

/**
 * Tabulates all positions of a game and their values, against the placer and against chance; keeps
 * intact data from earlier runs. Returns true if all is done, false if it was stopped.
 *
 * @param reach a tile whose chances are tabulated too
 * @throws {RangeError} if the shape is too large or the memory too small
 * @throws {StoreError} if a file cannot be used; `locked` if another process is tabulating the game
 */
export async function tabulate(
  game: Game,
  reach: number | undefined,
  options: TabulateOptions,
): Promise<boolean> {
  if (!canTabulate(game.shape)) {
    throw new RangeError(
      `cannot tabulate ${formatShape(game.shape)}: it has ${cellCount(game.shape)} cells; the limit is ${MAX_SWEEP_CELLS}`,
    );
  }
  const normal = { ...game, shape: normalShape(game.shape) };
  const file = columnFileOf(options.db, normal, "positions");
  using _lock = acquireLock(`${file}.lock`, `tabulating ${describeGame(normal)}`);
  using positions = new LayerFile(options.db, normal, "positions", true);
  const done = await sweeping(normal, undefined, options, async (run) => {
    if (!(await tabulatePositions(positions, run))) return false;
    return tabulateColumns(positions, ["minimax", "expected"], run);
  });
  if (!done || reach === undefined) return done;
  return await sweeping(normal, reach, options, (run) =>
    tabulateColumns(positions, [{ reach }], run),
  );
}

/** Runs `action` with a sweep that is opened on first use. */
async function sweeping(
  game: Game,
  goal: number | undefined,
  options: TabulateOptions,
  action: (run: TabulationRun) => Promise<boolean>,
): Promise<boolean> {
  let opened: Sweep | undefined;
  const sweep = () => {
    opened ??= new Sweep(game.shape, planOf(game.tiles, { goal }), options);
    return opened;
  };
  try {
    return await action({ ...options, sweep });
  } finally {
    await opened?.[Symbol.asyncDispose]();
  }
}

/**
 * Finds and stores the positions that play can reach; continues after the layers in the file.
 * Returns false if it was stopped before it found all.
 */
async function tabulatePositions(file: LayerFile, run: TabulationRun): Promise<boolean> {
  file.mend(run.onRepair);
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

/** Opens the files of some columns and fills them. */
async function tabulateColumns(
  positions: LayerFile,
  columns: readonly ValueColumn[],
  run: TabulationRun,
): Promise<boolean> {
  const files: LayerFile[] = [];
  try {
    for (const column of columns) files.push(new LayerFile(run.db, positions.game, column, true));
    return await tabulateValues(positions, files, run);
  } finally {
    for (const file of files) file[Symbol.dispose]();
  }
}
