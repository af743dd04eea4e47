import { packedFromBits, parseShape } from "@gridlock/game";
import {
  createTable,
  Journal,
  Kernel,
  RECORD_BYTES,
  type TableEntry,
  tableLimits,
} from "@gridlock/kernel";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { START, THREE, tableOf } from "./three.js";

const keyOf = ({ turn, board }: TableEntry) => `${turn} ${board}`;
const allOf = (kernel: Kernel) =>
  new Map([...kernel.records.entries(1)].flat().map((e) => [keyOf(e), e]));

describe("a journal", () => {
  it("is empty until it is opened", () => {
    const table = tableOf();
    const journal = new Journal(table);
    new Kernel(table, 0).ask(START, 100);
    expect(journal.drain()).toHaveLength(0);
  });

  it("has every costly bound, so that a table loaded from it has the same bounds", () => {
    const table = tableOf(2);
    const journal = new Journal(table);
    journal.open(4);
    const kernel = new Kernel(table, 1);
    const parts: Uint8Array[] = [];
    for (const threshold of [40, 60, 80]) {
      kernel.ask(START, threshold);
      parts.push(journal.drain().slice());
    }
    expect(journal.missed).toBe(0);
    const second = new Kernel(tableOf(), 0);
    second.records.unpack(parts.map((part) => second.records.pack(part)));
    const learned = [...allOf(kernel).values()].filter(({ effort }) => effort >= 4);
    expect(learned.length).toBeGreaterThan(100);
    const loaded = allOf(second);
    for (const entry of learned) {
      // A cheap bound that was merged into a costly entry is not in the journal.
      const { lo, hi } = loaded.get(keyOf(entry)) as TableEntry;
      expect(lo).toBeLessThanOrEqual(entry.lo);
      expect(hi).toBeGreaterThanOrEqual(entry.hi);
      expect(lo === entry.lo || hi === entry.hi).toBe(true);
    }
    expect(loaded.size).toBeGreaterThanOrEqual(learned.length);
  });

  it("fills its ring repeatedly without losing records, and counts those that did not fit", () => {
    const table = tableOf(1, 128 << 20); // so large that nothing is replaced
    const journal = new Journal(table);
    journal.open(1);
    const kernel = new Kernel(table, 0);
    const second = new Kernel(tableOf(1, 128 << 20), 0);
    let records = 0;
    for (let threshold = 400; records < 3 * 65_536; threshold -= 4) {
      for (let answer: unknown; answer === undefined; ) {
        answer = kernel.ask(START, threshold, 5000);
        const part = journal.drain();
        records += part.length / RECORD_BYTES;
        second.records.unpack([second.records.pack(part)]);
      }
      if (threshold === 4) break;
    }
    expect(records).toBeGreaterThan(65_536);
    expect(journal.missed).toBe(0);
    // The search does not look up positions, and the table does not store their effort.
    const slid = (all: Map<string, TableEntry>) =>
      new Map([...all].filter(([, { turn }]) => turn === "placer"));
    expect(slid(allOf(second))).toEqual(slid(allOf(kernel)));

    const full = tableOf();
    const unread = new Journal(full);
    unread.open(1);
    new Kernel(full, 0).ask(START, 400);
    expect(unread.missed).toBeGreaterThan(0);
    expect(unread.drain()).toHaveLength(65_536 * RECORD_BYTES);
    expect(unread.drain()).toHaveLength(0);
  });
});

describe("records", () => {
  const anyEntry = (cells: number): fc.Arbitrary<TableEntry> =>
    fc.record({
      turn: fc.constantFrom("slider" as const, "placer" as const),
      board: fc.bigInt({ min: 0n, max: (1n << BigInt(4 * cells)) - 1n }).map(packedFromBits),
      lo: fc.nat({ max: 40_000 }).map((n) => 4 * n),
      hi: fc.oneof(
        fc.constant(Number.POSITIVE_INFINITY),
        fc.nat({ max: 40_000 }).map((n) => 4 * n),
      ),
      effort: fc.integer({ min: 1, max: 63 }),
    });

  const halvesOf = (records: Uint8Array) => {
    const middle = RECORD_BYTES * Math.floor(records.length / RECORD_BYTES / 2);
    return [records.slice(0, middle), records.slice(middle)];
  };

  function shuffledRecords(records: Uint8Array): Uint8Array {
    const shuffled = new Uint8Array(records.length);
    const count = records.length / RECORD_BYTES;
    for (let i = 0; i < count; i++) {
      const from = ((i * 1009) % count) * RECORD_BYTES;
      shuffled.set(records.subarray(from, from + RECORD_BYTES), i * RECORD_BYTES);
    }
    return shuffled;
  }

  it("survive reading, packing and unpacking, in batches or not", () => {
    for (const shape of ["1x2", "3x3", "2x6"]) {
      const tableOf = () => {
        const game = { ...THREE, shape: parseShape(shape) };
        return createTable(game, tableLimits(game, 1).least + (1 << 20), 1);
      };
      const cells = shape === "1x2" ? 2 : shape === "3x3" ? 9 : 12;
      fc.assert(
        fc.property(
          fc.uniqueArray(anyEntry(cells), { selector: keyOf, maxLength: 300 }),
          fc.integer({ min: 1, max: 63 }),
          (entries, least) => {
            const first = new Kernel(tableOf(), 0);
            for (const entry of entries) first.learn(entry);
            const parts = [...first.records.read(1)];
            const learned = allOf(first);
            const unpacked = new Kernel(tableOf(), 0);
            const packed = parts
              .flatMap((part) => halvesOf(part))
              .map((half) => first.records.pack(half));
            unpacked.records.unpack(packed);
            expect(allOf(unpacked)).toEqual(learned);
            const dear = parts.flatMap((part) => first.records.entriesOf(part, least));
            expect(dear.map(keyOf).sort()).toEqual(
              [...learned.values()]
                .filter(({ effort }) => effort >= least)
                .map(keyOf)
                .sort(),
            );
          },
        ),
        { numRuns: 30 },
      );
    }
  });

  it("take about nine bytes packed, in the order of the table", () => {
    const table = tableOf();
    const kernel = new Kernel(table, 0);
    kernel.ask(START, 100);
    const records = [...kernel.records.read(1)][0] as Uint8Array;
    const packed = kernel.records.pack(shuffledRecords(records));
    expect(packed.length).toBeLessThan((9.1 * records.length) / RECORD_BYTES);
    expect(kernel.records.pack(records)).toHaveLength(packed.length);
  });
});
