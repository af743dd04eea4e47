import { setTimeout as sleep } from "node:timers/promises";
import { RECORD_BYTES } from "@gridlock/kernel";
import { describe, expect, it } from "vitest";
import { Outlet } from "../src/outlet.js";

/** Bytes that the allowance counts for a record. */
const PACKED_BYTES = 10;
/** The efforts of a cheap bound, and of one that is worth waiting for. */
const [CHEAP, DEAR] = [19, 20];

let numbered = 0;

/** Makes records of these efforts, with different numbers in their first words. */
function recordsOf(efforts: readonly number[]): Uint8Array {
  const words = new Int32Array((efforts.length * RECORD_BYTES) / 4);
  efforts.forEach((effort, i) => {
    words[4 * i] = numbered++;
    words[4 * i + 3] = effort;
  });
  return new Uint8Array(words.buffer);
}

function effortsOf(records: Uint8Array): number[] {
  const words = new Int32Array(records.slice().buffer);
  return Array.from(
    { length: records.length / RECORD_BYTES },
    (_, i) => words[4 * i + 3] as number,
  );
}

function numbersOf(records: Uint8Array): number[] {
  const words = new Int32Array(records.slice().buffer);
  return Array.from({ length: records.length / RECORD_BYTES }, (_, i) => words[4 * i] as number);
}

const NOTHING = recordsOf([]);

describe("an outlet", () => {
  it("selects all bounds if the rate allows", async () => {
    const outlet = new Outlet(Number.POSITIVE_INFINITY);
    await sleep(1);
    const records = recordsOf([CHEAP, DEAR]);
    const { passed, held } = outlet.select(records, false);
    expect([passed, held.length]).toEqual([records, 0]);
  });

  it("lets dear bounds wait, and leaves out cheap ones, while a batch is under way", async () => {
    const outlet = new Outlet(Number.POSITIVE_INFINITY);
    await sleep(1);
    const waiting: number[] = [];
    for (const efforts of [[CHEAP, DEAR, 1], [CHEAP], [63, DEAR]]) {
      const records = recordsOf(efforts);
      const { passed, held } = outlet.select(records, true);
      expect([passed.length, held]).toEqual([0, records]); // all of them are saved
      waiting.push(...numbersOf(records).filter((_, i) => (efforts[i] as number) >= DEAR));
    }
    const news = recordsOf([CHEAP]);
    const { passed } = outlet.select(news, false);
    expect(numbersOf(passed)).toEqual([...waiting, ...numbersOf(news)]);
    expect(outlet.select(NOTHING, false).passed).toHaveLength(0); // each goes once
  });

  it("keeps at most 65,536 of them", async () => {
    const outlet = new Outlet(Number.POSITIVE_INFINITY);
    const half = Array<number>(40_000).fill(DEAR);
    for (let i = 0; i < 3; i++) outlet.select(recordsOf(half), true);
    await sleep(1);
    expect(outlet.select(NOTHING, false).passed.length / RECORD_BYTES).toBe(65_536);
  });

  it("never exceeds its rate, and prefers the costliest bounds", async () => {
    const rate = 2000;
    const outlet = new Outlet(rate);
    const began = performance.now();
    const efforts = Array.from({ length: 300 }, (_, i) => 1 + (i % 60));
    let records = 0;
    for (let i = 0; i < 20; i++) {
      await sleep(20);
      const { passed, held } = outlet.select(recordsOf(efforts), false);
      records += passed.length / RECORD_BYTES;
      expect((passed.length + held.length) / RECORD_BYTES).toBe(efforts.length);
      const least = Math.min(...effortsOf(passed));
      expect(Math.max(...effortsOf(held))).toBeLessThan(least);
    }
    const seconds = (performance.now() - began) / 1000;
    expect(records).toBeGreaterThan(0);
    expect(records * PACKED_BYTES).toBeLessThanOrEqual(rate * seconds);
  });

  it("allows no more than a second's worth after a batch that took long", async () => {
    const rate = 1000;
    const outlet = new Outlet(rate);
    await sleep(1500);
    outlet.select(recordsOf(Array<number>(1000).fill(DEAR)), true);
    const { passed, held } = outlet.select(
      recordsOf(Array.from({ length: 500 }, (_, i) => i % 60)),
      false,
    );
    expect((passed.length / RECORD_BYTES) * PACKED_BYTES).toBeLessThanOrEqual(rate);
    expect(passed.length + held.length).toBe(1500 * RECORD_BYTES);
  });
});
