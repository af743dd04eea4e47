import { parseShape } from "@gridlock/game";
import { garbage } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { addressOf, readBatch, writeBatch } from "../src/batch.js";

const GAME = { shape: parseShape("2x4"), tiles: [2, 4] } as const;
const ADDRESS = addressOf(GAME, { run: "one", group: "all" });
const BATCH = { busy: [1n, 2n ** 64n - 1n], packed: Buffer.from("some records") };

const fieldsOf = (...entry: Parameters<typeof writeBatch>) =>
  writeBatch(...entry).map((value) => Buffer.from(value as string));

describe("an entry", () => {
  it("is read as it was written", () => {
    expect(readBatch(ADDRESS, fieldsOf(ADDRESS, BATCH))).toEqual(BATCH);
    expect(readBatch(ADDRESS, fieldsOf(ADDRESS, { wants: "b-1-1" }))).toEqual({ wants: "b-1-1" });
  });

  it("is ignored if it is for another run, group, game or kernel", () => {
    const others = [
      addressOf(GAME, { run: "two", group: "all" }),
      addressOf(GAME, { run: "one", group: "a1" }),
      addressOf({ ...GAME, tiles: [2] }, { run: "one", group: "all" }),
      addressOf({ ...GAME, shape: parseShape("2x5") }, { run: "one", group: "all" }),
      Buffer.from(String(ADDRESS).replace(/"kernel":"\w+"/, '"kernel":"0"')),
    ];
    for (const other of others) {
      expect(readBatch(ADDRESS, fieldsOf(other, BATCH))).toBe(undefined);
    }
  });

  it("is refused if any byte of it is damaged", () => {
    const fields = fieldsOf(ADDRESS, BATCH);
    for (const [i, field] of fields.entries()) {
      if (i === 1) continue; // it is then for others
      for (let at = 0; at < field.length; at++) {
        const damaged = fields.map((one) => Buffer.from(one));
        (damaged[i] as Buffer)[at] = (field[at] as number) ^ 0x10;
        expect(() => readBatch(ADDRESS, damaged), `byte ${at} of field ${i}`).toThrow(RangeError);
      }
    }
    for (let length = 0; length < fields.length; length++) {
      expect(() => readBatch(ADDRESS, fields.slice(0, length))).toThrow(RangeError);
    }
  });

  it("is refused or ignored if it is garbage, unless its checksum is right", () => {
    const read = garbage(fieldsOf(ADDRESS, BATCH)).map((fields) => {
      try {
        const batch = readBatch(
          ADDRESS,
          fields.map((value) => Buffer.from(value as string)),
        );
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
