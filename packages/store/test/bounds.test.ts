import { join } from "node:path";
import { canonical, type Game, packBoard, parseBoard, starts } from "@gridlock/game";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BoundEntry, Database, keyOf, StoreError } from "../src/index.js";
import { temporaryFolder } from "./folder.js";

const GAME: Game = { shape: { rows: 3, cols: 3 }, tiles: [2, 4] };
const BOARD = packBoard(canonical(parseBoard("2 2 0/0 0 0/0 0 0").board));

function freshDatabase(): Database {
  return Database.open(join(temporaryFolder(), "test.db"));
}

describe("bounds", () => {
  it("merge: the larger lo and the smaller hi are kept", () => {
    const bounds = freshDatabase().bounds(GAME);
    const key = { turn: "slider", board: BOARD } as const;
    expect(bounds.get(key)).toBeUndefined();
    bounds.merge([{ ...key, lo: 100, hi: 300 }]);
    bounds.merge([{ ...key, lo: 40, hi: 200 }]);
    bounds.merge([{ ...key, lo: 120, hi: 400 }]);
    expect(bounds.get(key)).toEqual({ lo: 120, hi: 200 });
    expect(bounds.get({ ...key, turn: "placer" })).toBeUndefined();
    expect(bounds.count()).toEqual({ bounds: 1, exact: 0 });
  });

  it("come out the same in whatever order and however often they are merged", () => {
    const anyEntry: fc.Arbitrary<BoundEntry> = fc.record({
      turn: fc.constantFrom("slider" as const, "placer" as const),
      board: fc.constantFrom(1n, 0x7fff_ffff_ffff_ffffn, 0xffff_ffff_ffff_ffffn, 1n << 63n),
      lo: fc.integer({ min: 0, max: 100 }),
      hi: fc.integer({ min: 100, max: 200 }),
    });
    const database = freshDatabase();
    let games = 0;
    fc.assert(
      fc.property(
        fc.array(anyEntry, { maxLength: 20 }).chain((entries) =>
          fc.record({
            entries: fc.constant(entries),
            again: fc.shuffledSubarray(entries, { minLength: entries.length }),
          }),
        ),
        ({ entries, again }) => {
          // A game for each run, of which a database may hold any number.
          const tables = [0, 1].map(() => {
            games++;
            return database.bounds({ shape: { rows: 1, cols: games }, tiles: [2] });
          });
          tables[0]?.merge(entries);
          for (const entry of again) tables[1]?.merge([entry, entry]);
          expect([...(tables[0]?.all() ?? [])]).toEqual([...(tables[1]?.all() ?? [])]);
        },
      ),
    );
  });

  it("that contradict each other are refused, and nothing of their batch is kept", () => {
    const bounds = freshDatabase().bounds(GAME);
    const key = { turn: "slider", board: BOARD } as const;
    bounds.merge([{ ...key, lo: 184, hi: 184 }]);
    const attempt = () =>
      bounds.merge([
        { turn: "placer", board: 1n, lo: 0, hi: 4 },
        { ...key, lo: 188, hi: 300 },
      ]);
    expect(attempt).toThrow(StoreError);
    expect(attempt).toThrow(/contradicts/);
    expect(bounds.get(key)).toEqual({ lo: 184, hi: 184 });
    expect(bounds.count().bounds).toBe(1);
  });

  it("of a board that was never searched are those of the rules", () => {
    const bounds = freshDatabase().bounds(GAME);
    const node = parseBoard("2 4 2/4 2 4/2 4 2");
    expect(bounds.get(keyOf(node))).toBeUndefined();
    expect(bounds.of(node)).toEqual({ lo: 0, hi: 0 });
  });
});

describe("games", () => {
  it("are kept apart by tiles, and together when transposed", () => {
    const database = freshDatabase();
    const entry = { turn: "slider", board: 5n, lo: 4, hi: 8 } as const;
    database.bounds({ shape: { rows: 3, cols: 2 }, tiles: [2] }).merge([entry]);
    const transposed = database.bounds({ shape: { rows: 2, cols: 3 }, tiles: [2] });
    const otherTiles = database.bounds({ shape: { rows: 2, cols: 3 }, tiles: [2, 4] });
    expect(transposed.get(entry)).toEqual({ lo: 4, hi: 8 });
    expect(otherTiles.get(entry)).toBeUndefined();
    expect(database.games()).toHaveLength(2);
  });

  it("list their starts once, in order", () => {
    const database = freshDatabase();
    expect(database.starts(GAME)).toEqual([]);
    const boards = starts(GAME.shape);
    database.addStarts(GAME, boards);
    database.addStarts(GAME, boards);
    expect(database.starts(GAME)).toEqual(boards);
  });
});

describe("the log of runs", () => {
  it("tells what was run and what it cost", () => {
    const database = freshDatabase();
    database.addStarts(GAME, starts(GAME.shape));
    const start = { game: GAME, version: "1.2.3", machine: "a machine", options: { workers: 2 } };
    const id = database.runs.begin(start);
    expect(database.runs.all()).toMatchObject([{ ...start, id, outcome: "unfinished" }]);
    const cost = { positions: 12, afterstates: 3, seconds: 0.5 };
    database.runs.update(id, "solved", cost);
    expect(database.runs.all()).toMatchObject([{ ...start, ...cost, outcome: "solved" }]);
  });
});
