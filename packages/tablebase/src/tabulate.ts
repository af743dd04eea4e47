import { cellCount, describeGame, formatShape, type Game, normalShape } from "@gridlock/game";
import { takeLock } from "@gridlock/store";
import type { ValueColumn } from "./columns.js";
import { LayerFile } from "./layer-file.js";
import { canTabulate, MAX_SWEEP_CELLS } from "./module.js";
import { tabulatePositions } from "./positions-sweep.js";
import type { TabulateOptions, TabulationRun } from "./run.js";
import { Sweep } from "./sweep.js";
import { tabulateValues } from "./values-sweep.js";

/**
 * Tabulates all positions of a game and what they are worth, against the placer and against chance; what is there
 * already, whole, is kept. Returns whether all is done: it is not when it was stopped.
 *
 * @param reach a tile whose chances are tabulated too
 * @throws {RangeError} when a shape is too large, or the memory too little
 * @throws {StoreError} when a file cannot be used, and `locked` when another process is at it
 */
export async function tabulate(
  game: Game,
  reach: number | undefined,
  options: TabulateOptions,
): Promise<boolean> {
  if (!canTabulate(game.shape)) {
    throw new RangeError(
      `${formatShape(game.shape)} has ${cellCount(game.shape)} cells; expected at most ${MAX_SWEEP_CELLS} for a tabulation`,
    );
  }
  const normal = { ...game, shape: normalShape(game.shape) };
  const file = options.fileOf("positions");
  using _lock = takeLock(`${file}.lock`, `tabulating ${describeGame(normal)}`);
  return await tabulateIn(file, normal, reach, options);
}

async function tabulateIn(
  file: string,
  game: Game,
  reach: number | undefined,
  options: TabulateOptions,
): Promise<boolean> {
  const positions = LayerFile.open(file, game, "positions", true);
  try {
    const done = await sweeping(game, undefined, options, async (run) => {
      if (!(await tabulatePositions(positions, run))) return false;
      return withColumns(game, ["minimax", "expected"], run, (files) =>
        tabulateValues(positions, files, run),
      );
    });
    if (!done || reach === undefined) return done;
    return await sweeping(game, reach, options, (run) =>
      withColumns(game, [{ reach }], run, (files) => tabulateValues(positions, files, run)),
    );
  } finally {
    positions.close();
  }
}

/** Runs `action` with a sweep at hand, and ends its threads. */
async function sweeping(
  game: Game,
  goal: number | undefined,
  options: TabulateOptions,
  action: (run: TabulationRun) => Promise<boolean>,
): Promise<boolean> {
  let sweep: Sweep | undefined;
  try {
    return await action({
      ...options,
      async sweep() {
        sweep ??= await Sweep.open(game, goal, options.threads, options.memory);
        return sweep;
      },
    });
  } finally {
    await sweep?.close();
  }
}

async function withColumns(
  game: Game,
  columns: readonly ValueColumn[],
  { fileOf }: TabulateOptions,
  action: (files: readonly LayerFile[]) => Promise<boolean>,
): Promise<boolean> {
  const files: LayerFile[] = [];
  try {
    for (const column of columns) files.push(LayerFile.open(fileOf(column), game, column, true));
    return await action(files);
  } finally {
    for (const file of files) file.close();
  }
}
