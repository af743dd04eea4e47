import { join } from "node:path";
import { type Game, parseShape, type Tiles } from "@gridlock/game";
import { Tabulation, tabulate } from "@gridlock/tablebase";
import { temporaryFolder } from "@gridlock/testbed";
import { afterAll } from "vitest";

/**
 * Tabulates shapes in a folder that is removed after the test file or, with `onTestFinished`, after
 * the running test; returns the database beside them.
 */
export async function tabulated(
  shapes: readonly string[],
  tiles: Tiles = [2, 4],
  whenDone: (clean: () => void) => void = afterAll,
): Promise<string> {
  const db = join(temporaryFolder(whenDone), "test.db");
  for (const text of shapes) {
    const game = { shape: parseShape(text), tiles };
    await tabulate(game, undefined, { threads: 2, memory: 2 ** 28, db });
  }
  return db;
}

/** Opens the tabulation of a game beside a database. */
export function tabulationOf(game: Game, db: string): Tabulation {
  return Tabulation.open(game, ["minimax", "expected"], db);
}
