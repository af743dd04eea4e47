import { join } from "node:path";
import { type Game, parseShape, type Tiles } from "@gridlock/game";
import {
  type Column,
  columnFileOf,
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

/** Names a database and its tabulation's files, in a folder that is removed when the test ends. */
export function files(of: Game, whenDone?: WhenDone) {
  const db = join(temporaryFolder(whenDone), "test.db");
  return { db, fileOf: (column: Column) => columnFileOf(db, of, column) };
}

export function options(db: string, more: Partial<TabulateOptions> = {}): TabulateOptions {
  return { threads: 1, memory: 2 ** 30, db, ...more };
}

export function opened(
  of: Game,
  columns: ValueColumn[],
  db: string,
  whenDone: WhenDone = onTestFinished,
): Tabulation {
  const tabulation = Tabulation.open(of, columns, db);
  whenDone(() => tabulation[Symbol.dispose]());
  return tabulation;
}
