import { type Board, formatBoard, type Node, parseBoard, starts } from "@gridlock/game";
import { createTable, Kernel, ThreadMonitor } from "@gridlock/kernel";
import {
  Analyst,
  defaultMemory,
  loadEntries,
  NOTHING_STORED,
  SEARCH_MEMORY,
  storeEntries,
} from "@gridlock/solver";
import type { Database } from "@gridlock/store";
import { Oracle, randomGames } from "@gridlock/testbed";
import { expect, it } from "vitest";
import { freshDatabase, gameOf } from "./setup.js";

/** Solves the starts of a game that `boards` names, and keeps about `most` entries of the table. */
async function keep(shape: string, boards: readonly string[], most?: number): Promise<Database> {
  const game = gameOf(shape);
  const kernel = new Kernel(createTable(game, defaultMemory(game, 1, SEARCH_MEMORY), 1), 0);
  const analyst = new Analyst(game, NOTHING_STORED, kernel);
  for (const board of boards) analyst.value(parseBoard(board), Number.POSITIVE_INFINITY);
  const database = freshDatabase();
  await storeEntries(game, database, kernel, {}, most);
  return database;
}

/** Makes a table with the entries that a database has kept; default: an empty one. */
function tableOf(shape: string, database?: Database) {
  const game = gameOf(shape);
  const table = createTable(game, defaultMemory(game, 1, SEARCH_MEMORY), 1);
  const kernel = new Kernel(table, 0);
  if (database) loadEntries(game, database, kernel);
  const entries = () => [...kernel.records.entries(1)].flat();
  /** Returns a position's value and the nodes that it took. */
  const search = (board: string) => {
    const before = new ThreadMonitor(table).counts();
    const analyst = new Analyst(game, NOTHING_STORED, kernel);
    const bound = analyst.value(parseBoard(board), Number.POSITIVE_INFINITY);
    const { positions, afterstates } = new ThreadMonitor(table).counts();
    return { bound, nodes: positions - before.positions + afterstates - before.afterstates };
  };
  return { entries, search };
}

const START = "2 2 0/0 0 0/0 0 0";

it("are true bounds of their boards", async () => {
  const shape = "2x3";
  const { entries } = tableOf(shape, await keep(shape, ["2 2 0/0 0 0", "4 0 0/0 0 4"]));
  const values = new Map(
    [...new Oracle(gameOf(shape)).valueAll().nodes()].map(({ turn, board, value }) => [
      `${turn} ${board}`,
      value,
    ]),
  );
  expect(entries().length).toBeGreaterThan(100);
  for (const { turn, board, lo, hi } of entries()) {
    const value = values.get(`${turn} ${board}`) as number;
    expect(lo).toBeLessThanOrEqual(value);
    expect(hi).toBeGreaterThanOrEqual(value);
  }
});

it("save most of the search for boards of games at random", async () => {
  const shape = "2x4";
  const database = await keep(
    shape,
    starts(gameOf(shape).shape).map((board) => formatBoard(board)),
  );
  const games = randomGames(gameOf(shape), 1);
  const nodes = { cold: 0, warm: 0 };
  for (let i = 0; i < 8; i++) {
    const played = games.next().value as Node[];
    const board = formatBoard((played[4] as Node).board);
    const [cold, warm] = [tableOf(shape).search(board), tableOf(shape, database).search(board)];
    expect(warm.bound).toEqual(cold.bound);
    nodes.cold += cold.nodes;
    nodes.warm += warm.nodes;
  }
  expect(nodes.warm).toBeLessThan(nodes.cold / 2);
});

it("are the costliest ones, as many as are asked for", async () => {
  const all = tableOf("3x3", await keep("3x3", [START])).entries();
  const most = all.length / 4;
  const database = await keep("3x3", [START], most);
  const kept = tableOf("3x3", database).entries();
  expect(kept.length).toBeGreaterThan(most / 4);
  expect(kept.length).toBeLessThan(1.2 * most);
  const least = Math.min(...kept.map(({ effort }) => effort));
  expect(kept).toHaveLength(all.filter(({ effort }) => effort >= least).length);
});

it("stay as they were where there is no room for others, which is reported and no failure", async () => {
  const shape = "2x4";
  const start = formatBoard(starts(gameOf(shape).shape)[0] as Board);
  const database = await keep(shape, [start], 1000);
  const before = tableOf(shape, database).entries();
  expect(before.length).toBeGreaterThan(0);
  // SQLite takes this limit for a full disk.
  database.get("PRAGMA journal_mode = DELETE");
  const { page_count } = database.get<{ page_count: number }>("PRAGMA page_count") ?? {};
  database.get(`PRAGMA max_page_count = ${page_count}`);
  const game = gameOf(shape);
  const kernel = new Kernel(createTable(game, defaultMemory(game, 1, SEARCH_MEMORY), 1), 0);
  new Analyst(game, NOTHING_STORED, kernel).value(parseBoard(start), Number.POSITIVE_INFINITY);
  const error = await storeEntries(game, database, kernel, {});
  expect(error).toMatchObject({ code: "full", message: expect.stringMatching(/disk is full/) });
  expect(tableOf(shape, database).entries()).toEqual(before);
});
