import { parseShape, type Tiles } from "@gridlock/game";
import { createTable, Kernel, type SearchOptions, tableLimits } from "@gridlock/kernel";
import { Oracle } from "@gridlock/testbed";
import { beforeAll, describe, expect, it } from "vitest";

/**
 * Numbers of canonical positions and afterstates that play can reach; those of the game are
 * published.
 */
const GAMES: [shape: string, tiles: Tiles, positions: number, afterstates: number][] = [
  ["1x2", [2, 4], 5, 2],
  ["1x4", [2], 61, 40],
  ["1x5", [2], 256, 173],
  ["1x6", [2, 4], 10_830, 4760],
  ["2x2", [2, 4], 110, 67],
  ["2x2", [2], 36, 30],
  ["2x3", [2, 4], 21_752, 14_883],
  ["2x3", [2], 4421, 4531],
];

/** The options of a confirmation. */
const CONFIRMING: SearchOptions = { withoutBound: true, otherOrder: true };
interface Table {
  readonly buckets: number;
  readonly shards: number;
  readonly search?: SearchOptions;
  /** False for the search without shared memory. */
  readonly shared?: boolean;
}

/**
 * Tables from one bucket of four entries, in which nearly every entry is replaced at once, to room
 * for all entries; and the number of memories besides that of the threads.
 */
const TABLES: Table[] = [
  { buckets: 1, shards: 0 },
  { buckets: 3, shards: 0 },
  { buckets: 100, shards: 0 },
  { buckets: 20_000, shards: 0 },
  { buckets: 20_000, shards: 0, search: CONFIRMING },
  { buckets: 100, shards: 0, shared: false },
  { buckets: 20_000, shards: 0, shared: false },
  { buckets: 20_000, shards: 2 },
  { buckets: 20_000, shards: 3 },
];
/** Games with more boards would take minutes to search with the smallest tables. */
const LARGE = 4000;

describe.each(GAMES)("every position and afterstate of %s, tiles %j", (name, tiles, p, a) => {
  const game = { shape: parseShape(name), tiles };
  const oracle = new Oracle(game);
  beforeAll(() => {
    oracle.valueAll();
  });

  it("is found by the oracle", () => {
    expect(oracle.positions.size).toBe(p);
    expect(oracle.afterstates.size).toBe(a);
  });

  it("has its canonical form", () => {
    const kernel = kernelWith({ buckets: 1, shards: 0 });
    const boards = [...oracle.nodes()].map(({ board }) => board);
    expect(boards.filter((board) => kernel.canonical(board) !== board)).toEqual([]);
  });

  it.each(TABLES.filter(({ buckets }) => p + a <= LARGE || buckets >= 100))(
    "has its value at any threshold, in a table of %o",
    (used) => {
      const { buckets } = used;
      const kernel = kernelWith(used);
      // Collected, since an expectation for each would take longer than the searches.
      const wrong: unknown[] = [];
      for (const { turn, board, value } of oracle.nodes()) {
        for (const threshold of [value + 4, value, value - 8, value + 40]) {
          if (threshold <= 0 || threshold > kernel.highestThreshold) continue;
          const { lo = -1, hi = -1 } = kernel.ask({ turn, board }, threshold) ?? {};
          const isRight =
            threshold <= value ? threshold <= lo && lo <= value : value <= hi && hi < threshold;
          if (!isRight) wrong.push({ turn, board, value, threshold, lo, hi });
        }
      }
      let entries = 0;
      for (const entry of [...kernel.records.entries(1)].flat()) {
        const values = entry.turn === "slider" ? oracle.positions : oracle.afterstates;
        const value = values.get(entry.board) ?? -1;
        if (!(entry.lo <= value && value <= entry.hi)) wrong.push({ ...entry, value });
        entries++;
      }
      expect(wrong).toEqual([]);
      expect(entries).toBeGreaterThan(0);
      expect(entries).toBeLessThanOrEqual(4 * buckets);
    },
  );

  it("is worth at least its static lower bound", () => {
    const kernel = kernelWith({ buckets: 1, shards: 0 });
    const excess = [...oracle.afterstates].map(
      ([board, value]) => kernel.surelyEarned(board) - value,
    );
    expect(excess.filter((points) => points > 0)).toEqual([]);
    const exact = excess.filter((points) => points === 0).length;
    // The bound is useful: it equals the value on more than a third of all afterstates.
    if (tiles.length === 2) expect(exact).toBeGreaterThan(a / 3);
  });

  function kernelWith({ buckets, shards, search = {}, shared = true }: Table): Kernel {
    const { threads, least, most } = tableLimits(game, 1);
    const bytes = Math.min(least + 32 * (buckets - 1), most);
    const largest = shards === 0 ? undefined : Math.ceil((bytes - threads) / shards);
    const table = createTable(game, bytes, 1, { shared, ...(largest ? { largest } : {}) });
    expect(table.shards).toHaveLength(shards);
    return new Kernel(table, 0, search);
  }
});
