import { parseShape } from "@gridlock/game";
import { secondsLeft } from "@gridlock/layers";
import { describe, expect, it } from "vitest";

const SHAPE = parseShape("2x6");

describe("the time left of a proof by layers", () => {
  it("is within a factor of two of the time that 2×6 took", () => {
    // Nodes expanded and seconds of a run with two threads that expanded 54.4 M nodes in 62 s.
    for (const [expanded, seconds] of [
      [15_000_000, 18],
      [22_000_000, 26],
      [28_000_000, 34],
      [35_000_000, 42],
    ] as const) {
      const left = secondsLeft(SHAPE, { expanded, seconds }) as number;
      expect(left / (62 - seconds)).toBeGreaterThan(0.5);
      expect(left / (62 - seconds)).toBeLessThan(2);
    }
  });

  it("is unknown early in a proof, and once it has more nodes than expected", () => {
    expect(secondsLeft(SHAPE, { expanded: 0, seconds: 0 })).toBeUndefined();
    expect(secondsLeft(SHAPE, { expanded: 20_000_000, seconds: 5 })).toBeUndefined();
    expect(secondsLeft(SHAPE, { expanded: 1_000_000, seconds: 60 })).toBeUndefined();
    expect(secondsLeft(SHAPE, { expanded: 50_000_000, seconds: 600 })).toBeUndefined();
    expect(secondsLeft(SHAPE, { expanded: 100_000_000, seconds: 600 })).toBeUndefined();
  });

  it("falls while nodes are expanded at a steady pace", () => {
    let before = Number.POSITIVE_INFINITY;
    for (let part = 0.15; part < 0.85; part += 0.05) {
      const [expanded, seconds] = [part * 50_000_000, 600 * part];
      const left = secondsLeft(SHAPE, { expanded, seconds }) as number;
      expect(left).toBeLessThan(before);
      before = left;
    }
  });
});
