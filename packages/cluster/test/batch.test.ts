import { parseShape } from "@gridlock/game";
import { garbage } from "@gridlock/testbed";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressOf, type Batch, readBatch, type TableRequest, writeBatch } from "../src/batch.js";

const GAME = { shape: parseShape("2x3"), tiles: [2, 4] } as const;
const HERE = { run: "a1b2" };
const ADDRESS = addressOf(GAME, HERE);

const anyBatch: fc.Arbitrary<Batch> = fc.record({
  packed: fc.uint8Array({ maxLength: 40 }),
});
const anyEntry: fc.Arbitrary<Batch | TableRequest> = fc.oneof(
  anyBatch,
  fc.record({ wants: fc.string({ unit: "binary", minLength: 1 }) }),
);

/** Returns fields as Redis returns them. */
const sent = (fields: readonly (string | Buffer)[]) => fields.map((field) => Buffer.from(field));

/** Returns an entry with bytes that compare by value. */
const plain = (entry: Batch | TableRequest | undefined) =>
  entry && "packed" in entry ? { ...entry, packed: [...entry.packed] } : entry;

describe("an entry", () => {
  it("is read as it was written", () => {
    fc.assert(
      fc.property(anyEntry, (entry) => {
        const read = readBatch(ADDRESS, sent(writeBatch(ADDRESS, entry)));
        expect(plain(read)).toEqual(plain(entry));
      }),
    );
  });

  it("may lie anywhere in its memory", () => {
    const memory = Uint8Array.from({ length: 100 }, (_, i) => i);
    const packed = memory.subarray(13, 37);
    const read = readBatch(ADDRESS, sent(writeBatch(ADDRESS, { packed })));
    expect(plain(read)).toEqual({ packed: [...packed] });
  });

  it.each([
    ["run", addressOf(GAME, { run: "a1b3" })],
    ["set of tiles", addressOf({ ...GAME, tiles: [2] }, HERE)],
    ["shape", addressOf({ ...GAME, shape: parseShape("2x4") }, HERE)],
  ])("is not for workers of another %s", (_, other) => {
    fc.assert(
      fc.property(anyEntry, (entry) => {
        expect(readBatch(ADDRESS, sent(writeBatch(other, entry)))).toBeUndefined();
      }),
    );
  });

  it("has the same address for a shape that is turned", () => {
    const turned = addressOf({ ...GAME, shape: parseShape("3x2") }, HERE);
    expect(turned.equals(ADDRESS)).toBe(true);
  });

  /** Expects that damaged fields are refused, as an error or as an entry for others. */
  function expectRefused(fields: readonly Buffer[]): void {
    try {
      expect(readBatch(ADDRESS, fields)).toBeUndefined();
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
    }
  }

  const BATCH: Batch = { packed: Uint8Array.of(7, 8, 9) };

  it("with bounds is refused with any bit changed", () => {
    const fields = sent(writeBatch(ADDRESS, BATCH));
    fields.forEach((field, i) => {
      for (let bit = 0; bit < 8 * field.length; bit++) {
        const changed = Buffer.from(field);
        changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
        expectRefused(fields.with(i, changed));
      }
    });
  });

  it("with bounds is refused with any field cut, lengthened, left out, repeated or exchanged", () => {
    const fields = sent(writeBatch(ADDRESS, BATCH));
    fields.forEach((field, i) => {
      for (let length = 0; length < field.length; length++) {
        expectRefused(fields.with(i, field.subarray(0, length)));
      }
      expectRefused(fields.with(i, Buffer.concat([field, Buffer.of(0)])));
      expectRefused(fields.toSpliced(i, 1));
      expectRefused(fields.toSpliced(i, 0, field));
      fields.forEach((other, j) => {
        if (!other.equals(field)) expectRefused(fields.with(i, other).with(j, field));
      });
    });
    expectRefused([]);
  });

  it("is refused if its fields are anything else", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 50 }).map(Buffer.from)), (fields) => {
        expectRefused(fields);
        expectRefused([Buffer.from("for"), ADDRESS, ...fields]);
      }),
    );
  });
});

describe("garbage", () => {
  it("is refused or ignored, unless its checksum is right", () => {
    const fields = writeBatch(ADDRESS, { packed: Buffer.from("some records") });
    const read = garbage(sent(fields)).map((garbled) => {
      try {
        const batch = readBatch(ADDRESS, sent(garbled));
        return batch && "packed" in batch ? "taken" : "ignored";
      } catch (error) {
        return (error as Error).message;
      }
    });
    expect(read).toEqual([
      "not an entry",
      "ignored",
      "a damaged entry",
      "ignored", // it asks a worker that does not exist for its table
      ...["a damaged entry", "a damaged entry", "a damaged entry"],
      "taken", // half of the bounds, with a checksum of its own: the unpacking finds the cut
    ]);
  });
});
