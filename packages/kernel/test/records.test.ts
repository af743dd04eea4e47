import { parseShape } from "@gridlock/game";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Kernel } from "../src/kernel.js";
import { packRecords, RECORD_BYTES } from "../src/records.js";
import { createTable, tableLimits } from "../src/table.js";

interface Fields {
  readonly key: bigint;
  readonly lo: number;
  readonly hi: number;
  readonly effort: number;
}

/** Keys of 2×5 have 41 bits, those of 2×2 17. */
const anyFields = (bits: bigint) =>
  fc.record({
    // Far from each other, or next to each other: at most two share one of the buckets of four.
    key: fc
      .tuple(
        fc.noBias(fc.bigInt({ min: 0n, max: 2n ** bits - 1n })),
        fc.bigInt({ min: 0n, max: 1n }),
      )
      .map(([a, b]) => a ^ b),
    lo: fc.nat({ max: 20 }),
    hi: fc.integer({ min: 20, max: 40 }),
    effort: fc.integer({ min: 1, max: 63 }),
  });

function recordsOf(all: readonly Fields[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(all.length * RECORD_BYTES));
  all.forEach(({ key, lo, hi, effort }, i) => {
    const at = i * RECORD_BYTES;
    view.setBigUint64(at, key, true);
    view.setUint16(at + 8, lo, true);
    view.setUint16(at + 10, hi, true);
    view.setUint32(at + 12, effort, true);
  });
  return new Uint8Array(view.buffer);
}

function fieldsOf(records: Uint8Array): Fields[] {
  const view = new DataView(records.buffer, records.byteOffset, records.length);
  return Array.from({ length: records.length / RECORD_BYTES }, (_, i) => ({
    key: view.getBigUint64(i * RECORD_BYTES, true),
    lo: view.getUint16(i * RECORD_BYTES + 8, true),
    hi: view.getUint16(i * RECORD_BYTES + 10, true),
    effort: view.getUint32(i * RECORD_BYTES + 12, true),
  }));
}

const byKey = (a: Fields, b: Fields) => (a.key < b.key ? -1 : 1);

/** Unpacks batches into an empty table and returns what it then holds, in the order of keys. */
function unpacked(shape: string, batches: readonly Uint8Array[]): Fields[] {
  const game = { shape: parseShape(shape), tiles: [2, 4] as const };
  const { records } = new Kernel(createTable(game, 2 ** 23, 1), 0);
  records.unpack(batches);
  return [...records.read(1)].flatMap(fieldsOf).sort(byKey);
}

/** The bounds that a table holds after all of these, if none had to make room. */
function merged(all: readonly Fields[]): Fields[] {
  const byKeys = new Map<bigint, Fields>();
  for (const one of all) {
    const { key, lo, hi, effort } = byKeys.get(one.key) ?? one;
    byKeys.set(key, {
      key,
      lo: Math.max(lo, one.lo),
      hi: Math.min(hi, one.hi),
      effort: Math.max(effort, one.effort),
    });
  }
  return [...byKeys.values()].sort(byKey);
}

describe("packed records", () => {
  it.each([
    ["2x2", 17n],
    ["2x5", 41n],
  ])("come into a table of %s as they were, in any order and number of batches", (shape, bits) => {
    const batches = fc.array(fc.array(anyFields(bits), { maxLength: 30 }), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(batches, fc.boolean(), (all, sorting) => {
        const keyBits = sorting ? Number(bits) : undefined;
        const packed = all.map((fields) => packRecords(recordsOf(fields), keyBits));
        expect(unpacked(shape, packed)).toEqual(merged(all.flat()));
      }),
    );
  });

  it("have keys of up to 64 bits, whose differences take up to six digits", () => {
    const game = { shape: parseShape("4x4"), tiles: [2, 4] as const };
    const kernel = new Kernel(createTable(game, tableLimits(game, 2).least, 1), 0);
    const pairs = fc.array(fc.tuple(anyFields(64n), fc.bigInt({ min: 0n, max: 63n })), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(pairs, fc.boolean(), (all, sorting) => {
        const fields = all.flatMap(([one, bit]) => [one, { ...one, key: one.key ^ (1n << bit) }]);
        const records = recordsOf(fields);
        kernel.records.unpack([packRecords(records, sorting ? 64 : undefined)]);
        for (const { lo, hi, ...node } of kernel.records.entriesOf(records)) {
          const found = kernel.look(node);
          expect(found.lo).toBeGreaterThanOrEqual(lo);
          expect(found.hi).toBeLessThanOrEqual(hi);
        }
      }),
    );
  });

  it("fill one stretch of the table after another from large batches", () => {
    const random = (i: number) => (BigInt(i) * 0x9e37_79b9_7f4a_7c15n) % 2n ** 41n;
    const fields = Array.from({ length: 9000 }, (_, i) => ({
      key: random(i),
      lo: i % 20,
      hi: 30,
      effort: 1,
    }));
    const batches = [fields.slice(0, 5000), fields.slice(4000)];
    const packed = batches.map((some) => packRecords(recordsOf(some), 41));
    expect(unpacked("2x5", packed)).toEqual(merged(fields));
  });

  it("that are truncated or corrupt give an error or other records, but never a crash", () => {
    const whole = packRecords(recordsOf([{ key: 2n ** 40n, lo: 1, hi: 2, effort: 3 }]));
    for (let length = 1; length < whole.length; length++) {
      expect(() => unpacked("2x5", [whole.slice(0, length)])).toThrow(RangeError);
    }
    const below = Uint8Array.of(...whole.slice(0, 8), 1); // a negative high part
    const endless = Uint8Array.of(...whole.slice(0, 8), ...new Array(90).fill(255));
    for (const packed of [below, endless])
      expect(() => unpacked("2x5", [packed])).toThrow(RangeError);
    // Keys of 2×2 have 17 bits, and this one has 41.
    expect(() => unpacked("2x2", [whole])).toThrow(RangeError);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (packed) => {
        try {
          expect(unpacked("2x5", [packed]).length).toBeLessThanOrEqual(packed.length / 9);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
    );
  });
});
