import { join } from "node:path";
import type { Game } from "@gridlock/game";
import { temporaryFolder } from "@gridlock/testbed";
import Sqlite from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { Database } from "../src/index.js";
import { errorOf } from "./damage.js";

const GAME: Game = { shape: { rows: 2, cols: 3 }, tiles: [2, 4] };
const KERNEL = "0123456789ab";

const batchOf = (...bytes: number[]) => ({ entries: bytes.length, data: Uint8Array.from(bytes) });

function open(file: string): Database {
  const database = Database.open(file);
  onTestFinished(() => database.close());
  return database;
}

function read(database: Database, game = GAME, kernel = KERNEL): number[][] {
  return [...database.entries(game).batches(kernel)].map((data) => [...data]);
}

describe("the table entries of a game", () => {
  it("replace earlier ones", () => {
    const database = open(join(temporaryFolder(), "test.db"));
    expect(read(database)).toEqual([]);
    database.entries(GAME).replace("other", [batchOf(1), batchOf(2), batchOf(3)]);
    database.entries(GAME).replace(KERNEL, [batchOf(4, 5), batchOf()]);
    expect(read(database)).toEqual([[4, 5], []]);
    expect(read(database, GAME, "other")).toEqual([]);
    expect(read(database, { ...GAME, tiles: [2] })).toEqual([]);
    expect(read(database, { ...GAME, shape: { rows: 3, cols: 2 } })).toEqual([[4, 5], []]);
  });

  it("are forgotten with the game", () => {
    const database = open(join(temporaryFolder(), "test.db"));
    database.entries(GAME).replace(KERNEL, [batchOf(1)]);
    database.forget(GAME);
    expect(read(database)).toEqual([]);
  });

  it.each([
    ["other data", "UPDATE entries SET data = x'09' WHERE part = 1"],
    ["another number of entries", "UPDATE entries SET entries = 0 WHERE part = 1"],
    [
      "batches in another order",
      "UPDATE entries SET part = part + 2; UPDATE entries SET part = 3 - part",
    ],
    ["the kernel of another version", "UPDATE entries SET kernel = 'another'"],
  ])("are not read with %s", (_, change) => {
    const file = join(temporaryFolder(), "test.db");
    const database = open(file);
    database.entries(GAME).replace(KERNEL, [batchOf(1), batchOf(2)]);
    const sqlite = new Sqlite(file);
    sqlite.exec(change);
    sqlite.close();
    const kernel = change.includes("kernel") ? "another" : KERNEL;
    expect(errorOf(() => read(database, GAME, kernel)).code).toBe("damaged");
  });
});
