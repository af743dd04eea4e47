import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { packRecords, RECORD_BYTES, RecordReader } from "../src/records.js";

interface Fields {
  readonly key: bigint;
  readonly lo: number;
  readonly hi: number;
  readonly effort: number;
}

const LOW_BITS = 28n;
const anyFields = fc.record({
  // Keys of small and large boards: those of 16 cells have 64 bits.
  key: fc.oneof(
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    fc.bigInt({ min: 0n, max: 2n ** 33n }),
  ),
  lo: fc.nat({ max: 2 ** 15 - 1 }),
  hi: fc.nat({ max: 2 ** 15 - 1 }),
  effort: fc.nat({ max: 63 }),
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

function readAll(packed: Uint8Array, room: number): Uint8Array {
  const reader = new RecordReader(packed);
  const some = new Uint8Array(room * RECORD_BYTES);
  const parts: Uint8Array[] = [];
  for (let bytes = -1; bytes !== 0; ) {
    bytes = reader.read(some, Number.POSITIVE_INFINITY);
    parts.push(some.slice(0, bytes));
  }
  return Buffer.concat(parts);
}

describe("packed records", () => {
  it("survive packing and unpacking, in any order and any number at a time", () => {
    fc.assert(
      fc.property(
        fc.array(anyFields, { maxLength: 50 }),
        fc.integer({ min: 1, max: 60 }),
        (all, room) => {
          const records = recordsOf(all);
          expect(readAll(packRecords(records), room)).toEqual(Buffer.from(records));
        },
      ),
    );
  });

  it("are read up to a limit of their keys, and then beyond it", () => {
    fc.assert(
      fc.property(
        fc.array(anyFields, { maxLength: 50 }),
        fc.nat({ max: 2 ** 36 }),
        (all, limit) => {
          const inOrder = all.toSorted((a, b) => (a.key < b.key ? -1 : 1));
          const reader = new RecordReader(packRecords(recordsOf(inOrder)));
          const room = new Uint8Array(100 * RECORD_BYTES);
          const below = inOrder.filter(({ key }) => key >> LOW_BITS < BigInt(limit));
          for (const part of [below, []]) {
            expect(reader.read(room, limit)).toBe(part.length * RECORD_BYTES);
          }
          expect(reader.read(room, Number.POSITIVE_INFINITY)).toBe(
            (all.length - below.length) * RECORD_BYTES,
          );
          const rest = recordsOf(inOrder.slice(below.length));
          expect(room.slice(0, rest.length)).toEqual(rest);
        },
      ),
    );
  });

  it("that are truncated or corrupt give an error or other records, but never a crash", () => {
    const whole = packRecords(recordsOf([{ key: 2n ** 60n, lo: 1, hi: 2, effort: 3 }]));
    for (let length = 1; length < whole.length; length++) {
      expect(() => readAll(whole.slice(0, length), 9)).toThrow(RangeError);
    }
    const below = Uint8Array.of(...whole.slice(0, 8), 1); // a negative high part
    const endless = Uint8Array.of(...whole.slice(0, 8), ...new Array(90).fill(255));
    for (const packed of [below, endless]) expect(() => readAll(packed, 9)).toThrow(RangeError);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (packed) => {
        try {
          expect(readAll(packed, 9).length).toBeLessThanOrEqual((packed.length / 9) * RECORD_BYTES);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
    );
  });
});
