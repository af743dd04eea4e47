import { join } from "node:path";
import type { Game } from "@gridlock/game";
import { temporaryFolder } from "@gridlock/testbed";
import Sqlite from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { Database } from "../src/index.js";
import { errorOf } from "./damage.js";

const GAME: Game = { shape: { rows: 2, cols: 3 }, tiles: [2, 4] };
const FIRST = { threshold: 24, nodes: 100, seconds: 0.5, answered: true };
const SECOND = { threshold: 40, nodes: 700, seconds: 2, answered: false };

function open(file: string): Database {
  const database = Database.open(file);
  onTestFinished(() => database.close());
  return database;
}

describe("the thresholds asked of a game", () => {
  it("replace what was stored of them, and are forgotten with the game", () => {
    const database = open(join(temporaryFolder(), "test.db"));
    const asked = database.asked(GAME);
    expect(asked.all()).toEqual([]);
    asked.put(SECOND);
    asked.put(FIRST);
    expect(asked.all()).toEqual([FIRST, SECOND]);
    asked.put({ ...SECOND, answered: true });
    expect(database.asked({ ...GAME, shape: { rows: 3, cols: 2 } }).all()[1]?.answered).toBe(true);
    expect(database.asked({ ...GAME, tiles: [2] }).all()).toEqual([]);
    database.forget(GAME);
    expect(asked.all()).toEqual([]);
  });

  it.each(["threshold = -4", "threshold = 26", "nodes = -1", "seconds = -1", "seconds = 9e999"])(
    "are not used from a damaged file: %s",
    (change) => {
      const file = join(temporaryFolder(), "test.db");
      const database = open(file);
      database.asked(GAME).put(FIRST);
      const sqlite = new Sqlite(file);
      sqlite.exec(`UPDATE asked SET ${change}`);
      sqlite.close();
      expect(errorOf(() => database.asked(GAME).all()).code).toBe("damaged");
    },
  );
});
