import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  formatAge,
  formatBytes,
  formatEstimate,
  formatLeft,
  formatSeconds,
  formatTime,
} from "../src/index.js";

const SECONDS = { ms: 1e-3, s: 1, min: 60, h: 3600, d: 86_400, y: 365 * 86_400 };

/** Splits a formatted duration into pairs of a number and a unit. */
function partsOf(text: string): { count: number; unit: keyof typeof SECONDS }[] {
  const words = text.split(" ");
  return Array.from({ length: words.length / 2 }, (_, i) => ({
    count: Number(words[2 * i]),
    unit: words[2 * i + 1] as keyof typeof SECONDS,
  }));
}

function secondsIn(text: string): number {
  return partsOf(text).reduce((sum, { count, unit }) => sum + count * SECONDS[unit], 0);
}

/** Durations of every magnitude, and durations next to a change of unit. */
const duration = fc.oneof(
  fc.double({ min: 0, max: 100, noNaN: true }),
  fc.double({ min: 0, max: 10_000, noNaN: true }),
  fc.double({ min: 0, max: 1e9, noNaN: true }),
  fc
    .tuple(
      fc.integer({ min: 1, max: 100 }),
      fc.constantFrom(1, 10, 60, 3600, 86_400),
      fc.double({ min: -1, max: 1, noNaN: true }),
    )
    .map(([count, unit, more]) => count * unit + more),
);

describe("formatSeconds", () => {
  it.each([
    [0, "0 ms"],
    [0.0123, "12 ms"],
    [0.9996, "1.00 s"],
    [1.944, "1.94 s"],
    [9.999, "10.0 s"],
    [59.94, "59.9 s"],
    [59.97, "1 min"],
    [119.7, "2 min"],
    [200, "3 min 20 s"],
    [3599.6, "1 h"],
    [7199, "2 h"],
    [9000, "2 h 30 min"],
    [86_399, "1 d"],
    [40.5 * 86_400, "40 d 12 h"],
  ])("shows %d as %s", (seconds, text) => {
    expect(formatSeconds(seconds)).toBe(text);
  });

  it("never shows a whole larger unit in smaller ones", () => {
    const limits = { ms: 1000, s: 60, min: 60, h: 24, d: 365, y: Number.POSITIVE_INFINITY };
    fc.assert(
      fc.property(duration, (seconds) => {
        for (const { count, unit } of partsOf(formatSeconds(seconds))) {
          expect(count, formatSeconds(seconds)).toBeLessThan(limits[unit]);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("is monotonic, and exact to 4 % or half a millisecond", () => {
    fc.assert(
      fc.property(duration, duration, (a, b) => {
        const [shorter, longer] = a < b ? [a, b] : [b, a];
        expect(secondsIn(formatSeconds(shorter))).toBeLessThanOrEqual(
          secondsIn(formatSeconds(longer)),
        );
        expect(Math.abs(secondsIn(formatSeconds(a)) - a)).toBeLessThanOrEqual(5.1e-4 + 0.04 * a);
      }),
      { numRuns: 2000 },
    );
  });

  it("rejects numbers that are not durations", () => {
    expect(() => formatSeconds(Number.NaN)).toThrow("NaN ms is not a duration");
    expect(() => formatSeconds(Number.POSITIVE_INFINITY)).toThrow("Infinity ms is not a duration");
  });
});

describe("other units", () => {
  it.each([
    [0.25, "250 milliseconds"],
    [119.7, "2 minutes"],
    [9000, "2 hours 30 minutes"],
    [40 * 86_400, "40 days"],
  ])("shows an estimate of %d seconds as %s", (seconds, text) => {
    expect(formatEstimate(seconds)).toBe(text);
  });

  it.each([
    [0, "0 B"],
    [1023, "1023 B"],
    [64 * 2 ** 20, "64 MiB"],
    [172.4 * 2 ** 20, "172 MiB"],
    [1.5 * 2 ** 30, "1.5 GiB"],
    [2 ** 41, "2 TiB"],
  ])("shows %d bytes as %s", (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it("shows a stored time, and how long ago it was", () => {
    const time = new Date(Date.now() - 90_000).toISOString();
    expect(formatTime("2026-01-31T23:59:59.123Z")).toBe("2026-01-31 23:59:59");
    expect(formatAge(time)).toMatch(/^1 min \d+ s ago$/);
    expect(formatAge(new Date(Date.now() + 90_000).toISOString())).toBe("0 ms ago");
  });
});

describe("formatLeft", () => {
  it.each([
    [3.2, "about 4 s"],
    [21, "about 30 s"],
    [61, "about 2 min"],
    [3500, "about 1 h"],
    [3 * 3600 + 1, "about 4 h"],
  ])("rounds %d s up to the precision of an estimate", (seconds, text) => {
    expect(formatLeft(seconds)).toBe(text);
  });
});
