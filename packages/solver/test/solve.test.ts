import { join } from "node:path";
import { canonical, formatBoard, packBoard, packedFromBits, parseBoard } from "@gridlock/game";
import { tableLimits } from "@gridlock/kernel";
import { LocalPool, poolThreads, saveCostlyBounds, solve } from "@gridlock/solver";
import { Database } from "@gridlock/store";
import { Oracle, temporaryFolder } from "@gridlock/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshDatabase, gameOf, solveWith, valuesOf } from "./setup.js";

/**
 * Qiu, Figure 9: start, score with 2s and 4s, score with 2s only. The figure shows one start twice
 * in the copy at hand; the other of the two can only be `4 0/0 2/0 0`.
 */
const FIGURE_9: readonly [string, number, number][] = [
  ["2 2/0 0/0 0", 44, 516],
  ["2 4/0 0/0 0", 40, 512],
  ["4 4/0 0/0 0", 40, 508],
  ["2 0/0 2/0 0", 44, 516],
  ["2 0/0 4/0 0", 44, 512],
  ["4 0/0 2/0 0", 40, 512],
  ["4 0/0 4/0 0", 40, 508],
  ["2 0/2 0/0 0", 44, 516],
  ["2 0/4 0/0 0", 44, 512],
  ["4 0/4 0/0 0", 40, 508],
  ["0 0/2 0/4 0", 44, 512],
  ["0 0/2 2/0 0", 44, 516],
  ["0 0/2 4/0 0", 40, 512],
  ["0 0/4 4/0 0", 40, 508],
  ["2 0/0 0/0 2", 44, 516],
  ["2 0/0 0/0 4", 44, 512],
  ["4 0/0 0/0 4", 40, 508],
  ["2 0/0 0/2 0", 44, 516],
  ["2 0/0 0/4 0", 44, 512],
  ["4 0/0 0/4 0", 40, 508],
];

/** Counts the occurrences of each value. */
function histogram(values: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

describe("published values", () => {
  it("Qiu, Table 2: the six starts of 2×2", async () => {
    const { starts } = await solveWith(gameOf("2x2"), freshDatabase());
    const values = new Map(starts.map(({ board, bound }) => [formatBoard(board), bound]));
    for (const [board, value] of [
      ["2 2/0 0", 12],
      ["4 2/0 0", 8],
      ["4 4/0 0", 8],
      ["0 2/2 0", 12],
      ["0 4/2 0", 8],
      ["0 4/4 0", 8],
    ] as const) {
      expect(values.get(board), board).toEqual({ lo: value, hi: value });
    }
  });

  it("Qiu, Figure 9: the twenty starts of 3×2, with both tile sets", async () => {
    for (const [tiles, column] of [
      [[2, 4], 1],
      [[2], 2],
    ] as const) {
      const game = gameOf("3x2", tiles);
      const { starts } = await solveWith(game, freshDatabase());
      const values = new Map(starts.map(({ board, bound }) => [packBoard(board), bound]));
      const oracle = new Oracle(game);
      expect(FIGURE_9).toHaveLength(starts.length);
      for (const row of FIGURE_9) {
        const start = canonical(parseBoard(row[0]).board);
        const value = row[column];
        expect(values.get(packBoard(start)), row[0]).toEqual({ lo: value, hi: value });
        expect(oracle.position(start)).toBe(value);
        values.delete(packBoard(start));
      }
      expect(values.size).toBe(0);
    }
  });
});

/** A solve of 3×3, whose results all tests compare with others. */
const game = gameOf("3x3");
const folder = temporaryFolder(afterAll);
let reference: Awaited<ReturnType<typeof solveWith>>;
beforeAll(async () => {
  using database = Database.open(join(folder, "test.db"));
  reference = await solveWith(game, database);
});

describe("3×3", () => {
  it("has the same values with any number of threads, size of table and order of starts", async () => {
    expect(histogram(valuesOf(reference.starts))).toEqual({ 184: 8, 180: 12, 164: 8 });
    for (const options of [
      { workers: 2 },
      { workers: 3, seed: 7 },
      { workers: 1, memory: tableLimits(game, poolThreads(1)).threads + 2 ** 20, seed: 1 },
      { workers: 2, memory: tableLimits(game, poolThreads(2)).threads + 2 ** 21, seed: 2 },
    ]) {
      const other = await solveWith(game, freshDatabase(), options);
      expect(other.starts).toEqual(reference.starts);
    }
  });

  it("takes fewer nodes with a guess near its values than far above or below", async () => {
    const [near, below, above] = await Promise.all(
      [188, 5, 300].map(async (guess) => {
        const { starts, counts } = await solveWith(game, freshDatabase(), { workers: 1, guess });
        expect(starts).toEqual(reference.starts);
        return counts.positions;
      }),
    );
    expect(below).toBeGreaterThan(near as number);
    expect(above).toBeGreaterThan(near as number);
  });

  it("takes at most 50,000 positions and 50,000 afterstates, the same every time", async () => {
    expect(reference.counts.positions).toBeLessThanOrEqual(50_000);
    expect(reference.counts.afterstates).toBeLessThanOrEqual(50_000);
    const { counts } = await solveWith(game, freshDatabase());
    expect(counts).toEqual(reference.counts);
  });

  it("is not searched again once the database has its values", async () => {
    using database = Database.open(join(folder, "test.db"));
    const again = await solveWith(game, database);
    expect(again.starts).toEqual(reference.starts);
    expect(again.counts).toEqual({ positions: 0, afterstates: 0 });
  });

  it("stopped anywhere keeps its bounds, and resumes to the same values", async () => {
    const values = valuesOf(reference.starts);
    for (const questions of [1, 10]) {
      const database = freshDatabase();
      await using pool = new LocalPool(game, { workers: 2, memory: 16 * 2 ** 20 });
      const partial = await solve(game, database, pool, {
        onProgress: (_, answered) => {
          if (answered >= questions) pool.stop();
        },
      });
      const before = database.bounds(game).count().bounds;
      saveCostlyBounds(pool.kernel, game, database.bounds(game));
      expect(database.bounds(game).count().bounds).toBeGreaterThan(before);
      expect(partial.some(({ bound }) => bound.lo < bound.hi)).toBe(true);
      partial.forEach(({ bound }, i) => {
        const value = values[i] as number;
        expect(bound.lo).toBeLessThanOrEqual(value);
        expect(bound.hi).toBeGreaterThanOrEqual(value);
      });
      const resumed = await solveWith(game, database);
      expect(resumed.starts).toEqual(reference.starts);
    }
  });
});

describe("a pool", () => {
  it("of threads that share a table and a question answers correctly, however small the table", async () => {
    const game = gameOf("2x3");
    const oracle = new Oracle(game).valueAll();
    const nodes = [...oracle.nodes()].filter((_, i) => i % 61 === 0);
    for (const buckets of [100, 20_000]) {
      const memory = tableLimits(game, poolThreads(3)).least + 32 * buckets;
      await using pool = new LocalPool(game, { workers: 3, memory });
      for (const { turn, board, value } of nodes) {
        const above = await pool.ask({ turn, board, threshold: value + 4 });
        expect(above?.hi).toBe(value);
        if (value === 0) continue;
        const at = await pool.ask({ turn, board, threshold: value });
        expect(at?.lo).toBe(value);
      }
    }
  });

  it("divides its work among three threads, instead of having each do it all", async () => {
    const three = await solveWith(game, freshDatabase(), { workers: 3 });
    const total = ({ counts }: typeof three) => counts.positions + counts.afterstates;
    expect(total(three)).toBeLessThan(2 * total(reference));
  });

  it("reports that a table cannot be created", () => {
    expect(() => new LocalPool(gameOf("3x3"), { workers: 1, memory: 1000 })).toThrow(/too small/);
  });

  it("that was stopped does not answer", async () => {
    await using pool = new LocalPool(gameOf("2x2"), { workers: 1, memory: 2 ** 23 });
    pool.stop();
    expect(
      await pool.ask({ turn: "slider", board: packedFromBits(0x11n), threshold: 12 }),
    ).toBeUndefined();
  });
});
