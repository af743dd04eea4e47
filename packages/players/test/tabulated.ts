import { join } from "node:path";
import { parseShape, type Tiles } from "@gridlock/game";
import { columnFileOf, tabulate } from "@gridlock/tablebase";
import { temporaryFolder } from "@gridlock/testbed";
import { afterAll } from "vitest";

/** Tabulates shapes in a folder that is removed after the test file; returns the database beside them. */
export async function tabulated(shapes: readonly string[], tiles: Tiles = [2, 4]): Promise<string> {
  const db = join(temporaryFolder(afterAll), "test.db");
  for (const text of shapes) {
    const game = { shape: parseShape(text), tiles };
    await tabulate(game, undefined, {
      threads: 2,
      memory: 2 ** 28,
      fileOf: (column) => columnFileOf(db, game, column),
    });
  }
  return db;
}
