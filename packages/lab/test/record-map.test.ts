import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NOT_FOUND, RecordMap } from "../src/paper/record-map.js";

describe("a map of records", () => {
  const key = fc.oneof(
    fc.integer({ min: 0, max: 40 }),
    fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER - 1 }),
  );

  it("has the latest values, like a Map", () => {
    const changes = fc.array(fc.tuple(key, fc.tuple(fc.nat(), fc.nat())), { maxLength: 300 });
    fc.assert(
      fc.property(changes, fc.array(key), (puts, others) => {
        const records = new RecordMap(2);
        const expected = new Map<number, readonly number[]>();
        for (const [at, values] of puts) {
          const offset = records.add(at);
          const held = [records.data[offset], records.data[offset + 1]];
          expect(held).toEqual(expected.get(at) ?? [0, 0]);
          records.data.set(values, offset);
          expected.set(at, values);
        }
        expect(records.size).toBe(expected.size);
        for (const one of [...others, ...expected.keys()]) {
          const offset = records.find(one);
          const values = expected.get(one);
          if (values === undefined) expect(offset).toBe(NOT_FOUND);
          else expect([records.data[offset], records.data[offset + 1]]).toEqual(values);
        }
      }),
    );
  });

  it("grows without losing records", () => {
    const records = new RecordMap(1);
    for (let i = 0; i < 100_000; i++) {
      const offset = records.add(i * 2 ** 33 + i); // before `data`, which it may replace
      records.data[offset] = i;
    }
    expect(records.size).toBe(100_000);
    for (let i = 0; i < 100_000; i++) expect(records.data[records.find(i * 2 ** 33 + i)]).toBe(i);
    expect(records.find(5)).toBe(NOT_FOUND);
  });
});
