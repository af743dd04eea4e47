import { canonical, packBoard, packedFromBits, parseShape, seededRandom } from "@gridlock/game";
import {
  createTable,
  effortOf,
  hasKernel,
  KERNEL_LIMITS,
  Kernel,
  type TableEntry,
  ThreadMonitor,
  tableLimits,
  touchTable,
} from "@gridlock/kernel";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BUILDS, START, THREE } from "./three.js";

function kernelOf(name: string, bytes = 0): Kernel {
  const game = { shape: parseShape(name), tiles: [2, 4] } as const;
  return new Kernel(createTable(game, Math.max(bytes, tableLimits(game, 1).least), 1), 0);
}

/** Boards whose packed form takes more than 52 bits. */
const WIDE = ["2x7", "3x5", "2x8", "4x4"];

describe("canonical forms", () => {
  const shapes = ["1x2", "1x7", "1x12", "2x2", "2x3", "2x4", "2x5", "2x6", "3x3", "3x4"];
  it.each([...shapes, ...WIDE])("of %s are those of `game`", (name) => {
    const { rows, cols } = parseShape(name);
    const kernel = kernelOf(name);
    const anyBoard = fc
      .array(fc.integer({ min: 0, max: Math.min(rows * cols + 1, 15) }), {
        minLength: rows * cols,
        maxLength: rows * cols,
      })
      .map((exponents) => ({ rows, cols, cells: exponents.map((k) => (k === 0 ? 0 : 2 ** k)) }));
    fc.assert(
      fc.property(anyBoard, (board) => {
        expect(kernel.canonical(packBoard(board))).toBe(packBoard(canonical(board)));
      }),
    );
  });
});

describe("the table", () => {
  it.each(["1x4", "2x3", "2x5", "3x3", "3x4"])(
    "of %s returns exactly the keys and bounds put into it",
    (name) => {
      const cells = parseShape(name).rows * parseShape(name).cols;
      const anyEntry: fc.Arbitrary<TableEntry> = fc.record({
        turn: fc.constantFrom("slider" as const, "placer" as const),
        board: fc.bigInt({ min: 0n, max: (1n << BigInt(4 * cells)) - 1n }).map(packedFromBits),
        lo: fc.integer({ min: 0, max: 20 }).map((quarter) => 4 * quarter),
        hi: fc.oneof(
          fc.integer({ min: 21, max: 40 }).map((quarter) => 4 * quarter),
          fc.constant(Number.POSITIVE_INFINITY),
        ),
        effort: fc.integer({ min: 1, max: 63 }),
      });
      fc.assert(
        fc.property(
          fc.uniqueArray(anyEntry, { selector: (e) => `${e.turn} ${e.board}`, maxLength: 200 }),
          fc.integer({ min: 0, max: 5000 }),
          (entries, extra) => {
            const kernel = kernelOf(name, tableSize(name, extra));
            for (const entry of entries) kernel.learn(entry);
            const byKey = new Map(entries.map((entry) => [`${entry.turn} ${entry.board}`, entry]));
            const read = [...kernel.records.entries(1)].flat();
            for (const entry of read) {
              expect(entry).toEqual(byKey.get(`${entry.turn} ${entry.board}`));
            }
            // With five thousand buckets, none of two hundred entries should have been replaced.
            if (extra === 5000) expect(read.length).toBe(entries.length);
            const costly = [...kernel.records.entries(30)].flat();
            expect(costly).toEqual(read.filter(({ effort }) => effort >= 30));
          },
        ),
        { numRuns: 20 },
      );
    },
  );

  it.each([
    ["4x4", 1, 0],
    ["2x7", 1, 2 ** 20],
    ["4x4", 1, 2 ** 20],
    ["2x7", 2, 0],
  ])(
    "of %s returns them, however wide the keys are, in the least that %d threads need and %d bytes",
    (name, threads, more) => {
      const [small, least] = [1, threads].map(
        (threads) => tableLimits({ shape: parseShape(name), tiles: [2, 4] }, threads).least,
      ) as [number, number];
      const kernel = kernelOf(name, least + more);
      const bits = 4n * BigInt(parseShape(name).rows * parseShape(name).cols);
      const random = seededRandom(2048);
      const learned = new Map<string, TableEntry>();
      for (let i = 0; i < 2000; i++) {
        const digits = Array.from({ length: 16 }, () => Math.floor(random() * 16).toString(16));
        const board = packedFromBits(BigInt.asUintN(Number(bits), BigInt(`0x${digits.join("")}`)));
        const turn = i % 2 === 0 || bits === 64n ? "placer" : "slider"; // see `KEEPS_POSITIONS`
        const entry = { turn, board, lo: 4 * i, hi: 4 * i + 400, effort: 1 + (i % 63) } as const;
        const fits = entry.hi <= kernel.highestThreshold;
        kernel.learn(entry);
        learned.set(`${turn} ${board}`, {
          ...entry,
          lo: Math.min(entry.lo, kernel.highestThreshold),
          hi: fits ? entry.hi : Number.POSITIVE_INFINITY,
        });
      }
      const read = [...kernel.records.entries(1)].flat();
      if (least + more > small) expect(read).toHaveLength(learned.size);
      else expect(read.length).toBeGreaterThan(5); // nearly all have been replaced
      for (const entry of read) expect(entry).toEqual(learned.get(`${entry.turn} ${entry.board}`));
      const other = kernelOf(name, small + 2 ** 20);
      other.records.unpack(
        [...kernel.records.read(1)].map((records) => kernel.records.pack(records)),
      );
      const sorted = (entries: TableEntry[]) =>
        entries.sort((a, b) => (a.board < b.board ? -1 : 1));
      expect(sorted([...other.records.entries(1)].flat())).toEqual(sorted(read));
    },
  );

  it("merges the bounds of a board", () => {
    const kernel = kernelOf("3x3", 1 << 20);
    kernel.learn({ ...START, lo: 100, hi: 400, effort: 3 });
    kernel.learn({ ...START, lo: 80, hi: 300, effort: 9 });
    kernel.learn({ ...START, lo: 0, hi: Number.POSITIVE_INFINITY, effort: 1 });
    expect(kernel.look(START)).toEqual({ lo: 100, hi: 300 });
    expect([...kernel.records.entries(1)].flat()).toEqual([
      { ...START, lo: 100, hi: 300, effort: 9 },
    ]);
  });

  it("weakens bounds that are too large for an entry", () => {
    const kernel = kernelOf("3x4");
    const top = kernel.highestThreshold;
    kernel.learn({ ...START, lo: top + 400, hi: top + 800, effort: 99 });
    expect(kernel.look(START)).toEqual({ lo: top, hi: Number.POSITIVE_INFINITY });
    expect([...kernel.records.entries(1)].flat()).toEqual([
      { ...START, lo: top, hi: Number.POSITIVE_INFINITY, effort: 63 },
    ]);
  });

  it("keeps the costliest entries", () => {
    const kernel = kernelOf("2x2"); // one bucket
    for (const effort of [9, 3, 7, 5, 8, 6]) {
      kernel.learn({ turn: "slider", board: packedFromBits(BigInt(effort)), lo: 0, hi: 8, effort });
    }
    const efforts = [...kernel.records.entries(1)].flat().map(({ effort }) => effort);
    expect(efforts.sort()).toEqual([6, 7, 8, 9]);
  });

  it("saves the search when its entries are copied to a new one", () => {
    const first = kernelOf("3x3", 32 << 20);
    const answer = first.ask(START, 200);
    const table = createTable(THREE, 32 << 20, 1);
    const second = new Kernel(table, 0);
    for (const entry of [...first.records.entries(effortOf(100))].flat()) second.learn(entry);
    expect(second.ask(START, 200)).toEqual(answer);
    expect(new ThreadMonitor(table).counts()).toEqual({ positions: 0, afterstates: 0 });
  });

  it("keeps its entries when all its memory is touched", () => {
    const table = createTable(THREE, 16 << 20, 1);
    const kernel = new Kernel(table, 0);
    kernel.ask(START, 188);
    const learned = [...kernel.records.entries(1)].flat();
    expect(learned.length).toBeGreaterThan(20_000); // on every page
    touchTable(table, 5000, 10 << 20);
    touchTable(table);
    expect([...kernel.records.entries(1)].flat()).toEqual(learned);
  });

  it("that cannot be created is rejected with a sentence", () => {
    const { least } = tableLimits(THREE, 1);
    expect(() => createTable(THREE, least - 1, 1)).toThrow(/too small; expected at least/);
    expect(() => createTable(THREE, Number.NaN, 1)).toThrow(RangeError);
    const row = { shape: parseShape("1x13"), tiles: [2, 4] } as const;
    expect(hasKernel(row.shape)).toBe(false);
    expect(() => createTable(row, 1 << 30, 1)).toThrow(`no kernel for 1x13; ${KERNEL_LIMITS}`);
    const square = { shape: parseShape("4x4"), tiles: [2, 4] } as const;
    expect(() => createTable(square, 2 ** 32, 1, { goal: 512 })).toThrow(/expected at most 256/);
    const wide = { shape: parseShape("2x7"), tiles: [2, 4] } as const;
    expect(() => createTable(wide, 300 << 20, 1, { largest: 100 << 20 })).toThrow(
      /too small for memories of/,
    );
    expect(() => new Kernel(createTable(THREE, least, 1), 1)).toThrow(RangeError);
  });
});

describe.each(BUILDS)("a search in a table of %o", ({ shared }) => {
  it("stops when its budget is spent, and resumes from the table", () => {
    const table = createTable(THREE, 16 << 20, 1, { shared });
    const kernel = new Kernel(table, 0);
    const monitor = new ThreadMonitor(table);
    let slices = 0;
    let bound = kernel.ask(START, 188, 5000);
    for (; bound === undefined; slices++) bound = kernel.ask(START, 188, 5000);
    expect(bound).toEqual({ lo: 0, hi: 184 });
    expect(slices).toBeGreaterThan(3);
    const { positions, afterstates } = monitor.counts();
    expect(positions + afterstates).toBeLessThanOrEqual(5000 * (slices + 1));
  });

  it("stops on request, and runs again when allowed", () => {
    const table = createTable(THREE, 16 << 20, 1, { shared });
    const kernel = new Kernel(table, 0);
    const monitor = new ThreadMonitor(table);
    monitor.requestStop();
    expect(kernel.ask(START, 188)).toBeUndefined();
    const { positions, afterstates } = monitor.counts();
    expect(positions + afterstates).toBeLessThanOrEqual(1024);
    monitor.requestStop(false);
    expect(kernel.ask(START, 188)).toEqual({ lo: 0, hi: 184 });
  });

  it("expands the same nodes every time, shared or not", () => {
    const counts = [true, shared].map((shared) => {
      const table = createTable(THREE, 16 << 20, 1, { shared });
      new Kernel(table, 0).ask(START, 188);
      return new ThreadMonitor(table).counts();
    });
    expect(counts[0]?.positions).toBeGreaterThan(10_000);
    expect(counts[1]).toEqual(counts[0]);
  });

  it("rejects a threshold that its entries cannot hold", () => {
    const kernel = kernelOf("2x2");
    expect(kernel.ask(START, 0)).toEqual({ lo: 0, hi: Number.POSITIVE_INFINITY });
    expect(() => kernel.ask(START, kernel.highestThreshold + 4)).toThrow(/too high/);
  });
});

function tableSize(name: string, extraBuckets: number): number {
  const game = { shape: parseShape(name), tiles: [2, 4] } as const;
  const { least, most } = tableLimits(game, 1);
  return Math.min(most, least + 32 * extraBuckets);
}
