import { join } from "node:path";
import {
  canonical,
  type Game,
  packBoard,
  packedFromBits,
  packNode,
  parseBoard,
  starts,
} from "@gridlock/game";
import { temporaryFolder } from "@gridlock/testbed";
import Sqlite from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DATABASE } from "../src/database-schema.js";
import { type BoundEntry, Database, StoreError } from "../src/index.js";
import { errorOf } from "./damage.js";

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

  it("are the same in whatever order and however often they are merged", () => {
    const anyEntry: fc.Arbitrary<BoundEntry> = fc.record({
      turn: fc.constantFrom("slider" as const, "placer" as const),
      board: fc
        .constantFrom(1n, 0x7fff_ffff_ffff_ffffn, 0xffff_ffff_ffff_ffffn, 1n << 63n)
        .map(packedFromBits),
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
          // Each run takes a new game; a database may have any number.
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

  it("are all read, each once, where they fill several pages", () => {
    const bounds = freshDatabase().bounds(GAME);
    // The numbers of half of the boards are negative in SQLite.
    const entries = (["slider", "placer"] as const).flatMap((turn) =>
      Array.from({ length: 12_000 }, (_, i): BoundEntry => {
        const board = packedFromBits((BigInt(i) << 36n) | (BigInt(i % 2) << 63n) | 1n);
        return { turn, board, lo: 4 * i, hi: 4 * i + 4 };
      }),
    );
    bounds.merge(entries);
    const textOf = ({ turn, board, lo, hi }: BoundEntry) => `${turn} ${board} ${lo} ${hi}`;
    expect([...bounds.all()].map(textOf).sort()).toEqual(entries.map(textOf).sort());
  });

  it("that contradict each other are rejected with their whole batch", () => {
    const bounds = freshDatabase().bounds(GAME);
    const key = { turn: "slider", board: BOARD } as const;
    bounds.merge([{ ...key, lo: 184, hi: 184 }]);
    const attempt = () =>
      bounds.merge([
        { turn: "placer", board: packedFromBits(1n), lo: 0, hi: 4 },
        { ...key, lo: 188, hi: 300 },
      ]);
    expect(attempt).toThrow(StoreError);
    expect(attempt).toThrow(
      /the new bound 188 … 300 of .* contradicts 184 … 184 in .*, or solve again with --fresh$/,
    );
    expect(bounds.get(key)).toEqual({ lo: 184, hi: 184 });
    expect(bounds.count().bounds).toBe(1);
  });

  it.each([
    ["lo", "UPDATE bound SET lo = lo + 4"],
    ["hi", "UPDATE bound SET hi = hi - 4"],
    ["hi, in bits beyond 32,", "UPDATE bound SET hi = hi + 4294967296"],
    ["board", "UPDATE bound SET board = 18"],
    ["turn", "UPDATE bound SET turn = 1"],
    ["game", "UPDATE game SET rows = 2"],
    ["checksum", "UPDATE bound SET checksum = checksum + 1"],
  ])("whose %s was changed from outside are reported as damage", (_, change) => {
    const file = join(temporaryFolder(), "test.db");
    const database = Database.open(file);
    const key = { turn: "slider", board: BOARD } as const;
    database.bounds(GAME).merge([{ ...key, lo: 100, hi: 300 }]);
    new Sqlite(file).exec(change);
    const [game] = database.games() as [Game];
    const bounds = database.bounds(game);
    const found = { turn: change.includes("turn") ? "placer" : "slider", board: BOARD } as const;
    const where = change.includes("board = 18") ? { ...key, board: packedFromBits(18n) } : found;
    for (const read of [
      () => bounds.get(where),
      () => [...bounds.all()],
      () => bounds.merge([{ ...where, lo: 200, hi: 200 }]),
    ]) {
      expect(errorOf(read).code).toBe("damaged");
    }
  });

  it("of an older database survive its migration", () => {
    const file = join(temporaryFolder(), "test.db");
    const entries: BoundEntry[] = [
      { turn: "slider", board: BOARD, lo: 100, hi: 300 },
      { turn: "placer", board: packedFromBits(0xffff_ffff_ffff_ffffn), lo: 0, hi: 4 },
    ];
    const sqlite = new Sqlite(file);
    DATABASE.migrations[0]?.(sqlite);
    sqlite.pragma("user_version = 1");
    sqlite.pragma(`application_id = ${DATABASE.applicationId}`);
    sqlite.exec("INSERT INTO game VALUES (7, 3, 3, '2,4')");
    for (const { turn, board, lo, hi } of entries) {
      sqlite
        .prepare("INSERT INTO bound VALUES (7, ?, ?, ?, ?)")
        .run(turn === "slider" ? 0 : 1, BigInt.asIntN(64, board), lo, hi);
    }
    sqlite.close();
    expect(errorOf(() => Database.open(file, { readOnly: true })).code).toBe("other-version");
    expect([...Database.open(file).bounds(GAME).all()]).toEqual(entries);
  });

  it("of a board that was never searched come from the rules", () => {
    const bounds = freshDatabase().bounds(GAME);
    const node = parseBoard("2 4 2/4 2 4/2 4 2");
    expect(bounds.get(packNode(node))).toBeUndefined();
    expect(bounds.of(node)).toEqual({ lo: 0, hi: 0 });
  });
});

describe("games", () => {
  it("differ by tiles, but not by transposition", () => {
    const database = freshDatabase();
    const entry = { turn: "slider", board: packedFromBits(5n), lo: 4, hi: 8 } as const;
    database.bounds({ shape: { rows: 3, cols: 2 }, tiles: [2] }).merge([entry]);
    const transposed = database.bounds({ shape: { rows: 2, cols: 3 }, tiles: [2] });
    const otherTiles = database.bounds({ shape: { rows: 2, cols: 3 }, tiles: [2, 4] });
    expect(transposed.get(entry)).toEqual({ lo: 4, hi: 8 });
    expect(otherTiles.get(entry)).toBeUndefined();
    otherTiles.merge([entry]);
    expect(database.games()).toHaveLength(2);
  });

  it("are listed once something of them is stored, not when they are read", () => {
    const database = freshDatabase();
    const bounds = database.bounds(GAME);
    expect(bounds.count().bounds).toBe(0);
    expect([...bounds.all()]).toEqual([]);
    expect(database.checkedCertificate(GAME)).toBeUndefined();
    expect(database.starts(GAME)).toEqual([]);
    bounds.merge([]);
    database.forget(GAME);
    expect([database.games(), database.has(GAME)]).toEqual([[], false]);
    const entry = { turn: "slider", board: BOARD, lo: 4, hi: 8 } as const;
    bounds.merge([entry]);
    expect([database.games(), database.has(GAME)]).toEqual([[GAME], true]);
    expect([...bounds.all()]).toEqual([entry]);
    expect(database.has({ ...GAME, tiles: [2] })).toBe(false);
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

describe("the certificate that was checked", () => {
  it("is the last one, and forgotten together with the bounds, for one game alone", () => {
    const database = freshDatabase();
    const other: Game = { ...GAME, tiles: [2] };
    for (const game of [GAME, other]) database.storeChecked(game, "1:2:3");
    database.storeChecked(GAME, "1:2:4");
    expect(database.checkedCertificate(GAME)).toBe("1:2:4");
    expect(database.checkedCertificate(other)).toBe("1:2:3");
    database.forget(GAME);
    expect(database.checkedCertificate(GAME)).toBeUndefined();
    expect(database.checkedCertificate(other)).toBe("1:2:3");
  });

  it("takes the place of the claims that an older database has", () => {
    const file = join(temporaryFolder(), "test.db");
    const sqlite = new Sqlite(file);
    for (const migrate of DATABASE.migrations.slice(0, 3)) migrate(sqlite);
    sqlite.pragma("user_version = 3");
    sqlite.pragma(`application_id = ${DATABASE.applicationId}`);
    sqlite.exec(`INSERT INTO game VALUES (7, 3, 3, '2,4');
      INSERT INTO claim VALUES (7, 18, 100, NULL);
      INSERT INTO certificate VALUES (7, 0, '2026-01-01T00:00:00.000Z', 1)`);
    sqlite.close();
    const database = Database.open(file);
    expect(database.games()).toEqual([GAME]);
    expect(database.checkedCertificate(GAME)).toBeUndefined();
  });
});

describe("the log of runs", () => {
  it("records each run and its cost", () => {
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
