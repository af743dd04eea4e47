import { join } from "node:path";
import { type Game, parseShape, type Tiles } from "@gridlock/game";
import {
  type Column,
  columnFileOf,
  type Place,
  type TabulateOptions,
  Tabulation,
  type ValueColumn,
} from "@gridlock/tablebase";
import { temporaryFolder } from "@gridlock/testbed";
import { onTestFinished } from "vitest";

export function game(shape: string, tiles: Tiles): Game {
  return { shape: parseShape(shape), tiles };
}

/** Registers an action for the end of the test or, as `afterAll` does, of the test file. */
type WhenDone = (clean: () => void) => void;

/** Names the files of a tabulation in a folder that is removed when the test ends. */
export function files(of: Game, whenDone?: WhenDone): (column: Column) => string {
  const folder = temporaryFolder(whenDone);
  return (column) => columnFileOf(join(folder, "test.db"), of, column);
}

export function options(
  fileOf: (column: Column) => string,
  more: Partial<TabulateOptions> = {},
): TabulateOptions {
  return { threads: 2, memory: 2 ** 30, fileOf, ...more };
}

export function opened(
  of: Game,
  columns: ValueColumn[],
  fileOf: (column: Column) => string,
  whenDone: WhenDone = onTestFinished,
): Tabulation {
  const tabulation = Tabulation.open(of, columns, fileOf);
  whenDone(() => tabulation.close());
  return tabulation;
}

export function* places({ layers }: Tabulation): Generator<Place> {
  for (const layer of layers) {
    for (let number = 0; number < layer.positions; number++) yield { layer, number };
  }
}
