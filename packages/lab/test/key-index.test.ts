import { ABSENT, KeyIndex } from "@gridlock/lab";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

/**
 * Generates keys of all sizes, and keys that differ only in their low or only in their high 32
 * bits.
 */
const anyKey = fc.oneof(
  fc.nat(40),
  fc.maxSafeNat(),
  fc.nat(40).map((k) => k * 2 ** 32),
  fc.nat(40).map((k) => Number.MAX_SAFE_INTEGER - k * 2 ** 32),
  fc.nat(40).map((k) => Number.MAX_SAFE_INTEGER - k),
);

/** Compares an index with a map from key to number. */
function expectAs(index: KeyIndex, model: ReadonlyMap<number, number>): void {
  expect(index.size).toBe(model.size);
  expect([...index.keys()]).toEqual([...model.keys()]);
  for (const [key, number] of model) expect(index.find(key)).toBe(number);
}

describe("an index of keys", () => {
  it("numbers them like a map", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.boolean(), anyKey), { maxLength: 200 }),
        fc.integer({ min: 0, max: 70 }),
        (steps, expected) => {
          const index = new KeyIndex(expected);
          const model = new Map<number, number>();
          for (const [add, key] of steps) {
            if (!add) {
              expect(index.find(key)).toBe(model.get(key) ?? ABSENT);
              continue;
            }
            const number = model.get(key) ?? model.size;
            expect(index.add(key)).toBe(number);
            model.set(key, number);
          }
          expectAs(index, model);
        },
      ),
    );
  });

  it.each([
    ["random", (i: number) => Math.floor(2 ** 53 * (((i + 1) * Math.SQRT2) % 1))],
    ["one after the other", (i: number) => i],
    ["equal in their low 32 bits", (i: number) => i * 2 ** 32],
    ["the largest", (i: number) => Number.MAX_SAFE_INTEGER - i],
  ])("grows from nothing to 100,000: %s", (_, keyOf) => {
    const index = new KeyIndex();
    const model = new Map<number, number>();
    for (let i = 0; i < 200_000; i += 2) {
      const key = keyOf(i);
      if (!model.has(key)) model.set(key, model.size);
      index.add(key);
    }
    expect(model.size).toBeGreaterThan(99_990);
    expect(index.size).toBe(model.size);
    const keys = index.keys();
    let wrong = 0;
    for (let i = 0; i < 200_000; i++) {
      const number = model.get(keyOf(i));
      if (index.find(keyOf(i)) !== (number ?? ABSENT)) wrong++;
      if (number !== undefined && keys[number] !== keyOf(i)) wrong++;
    }
    expect(wrong).toBe(0);
  });

  it("is empty at first, even of 0", () => {
    const index = new KeyIndex();
    expect(index.size).toBe(0);
    expect(index.find(0)).toBe(ABSENT);
    expect(index.keys()).toHaveLength(0);
  });

  it("returns copies of its keys", () => {
    const index = new KeyIndex();
    for (const key of [7, 8]) index.add(key);
    index.keys().fill(9);
    expectAs(
      index,
      new Map([
        [7, 0],
        [8, 1],
      ]),
    );
  });
});
