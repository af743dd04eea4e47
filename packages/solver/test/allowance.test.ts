import { RECORD_BYTES } from "@gridlock/kernel";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Allowance } from "../src/allowance.js";

/** Makes records of these efforts, numbered by their first word. */
function recordsOf(efforts: readonly number[]): Uint8Array {
  const words = new Int32Array((efforts.length * RECORD_BYTES) / 4);
  efforts.forEach((effort, i) => {
    words[4 * i] = i;
    words[4 * i + 3] = effort;
  });
  return new Uint8Array(words.buffer);
}

function read(records: Uint8Array): { number: number; effort: number }[] {
  const words = new Int32Array(records.slice().buffer);
  return Array.from({ length: records.length / RECORD_BYTES }, (_, i) => ({
    number: words[4 * i] as number,
    effort: words[4 * i + 3] as number,
  }));
}

const numbersOf = (records: Uint8Array) => read(records).map(({ number }) => number);

describe("an allowance", () => {
  it("without a limit passes everything on", () => {
    const records = recordsOf([1, 1, 63]);
    const { passed, held } = new Allowance(Number.POSITIVE_INFINITY, 1).select(records, 0.04);
    expect(passed).toBe(records);
    expect(held).toHaveLength(0);
  });

  it("passes on the costliest records first, in their order, and holds the rest", () => {
    const { passed, held } = new Allowance(30, 1).select(recordsOf([5, 1, 9, 1, 7]), 1);
    expect(numbersOf(passed)).toEqual([0, 2, 4]);
    expect(numbersOf(held)).toEqual([1, 3]);
  });

  it("accumulates for no longer than a unit of time", () => {
    const allowance = new Allowance(30, 2);
    expect(read(allowance.select(recordsOf([1, 2, 3, 4, 5]), 100).passed)).toHaveLength(3);
    expect(read(allowance.select(recordsOf([1, 2, 3, 4, 5]), 0.6).passed)).toHaveLength(0);
    expect(read(allowance.select(recordsOf([1, 2, 3, 4, 5]), 0.2).passed)).toHaveLength(1);
  });

  it("never exceeds its rate, loses no record, and passes none on that costs less than one it holds", () => {
    const batch = fc.array(fc.integer({ min: 1, max: 63 }), { maxLength: 50 });
    fc.assert(
      fc.property(
        fc.array(batch, { maxLength: 10 }),
        fc.integer({ min: 0, max: 400 }),
        (batches, rate) => {
          const allowance = new Allowance(rate, 1);
          let bytes = 0;
          for (const efforts of batches) {
            const { passed, held } = allowance.select(recordsOf(efforts), 1);
            bytes += 10 * (passed.length / RECORD_BYTES);
            const all = [...numbersOf(passed), ...numbersOf(held)];
            expect(all.sort((a, b) => a - b)).toEqual(efforts.map((_, i) => i));
            const least = Math.min(...read(passed).map(({ effort }) => effort));
            const most = Math.max(...read(held).map(({ effort }) => effort));
            expect(least).toBeGreaterThan(most);
          }
          expect(bytes).toBeLessThanOrEqual(rate * batches.length);
        },
      ),
    );
  });
});
