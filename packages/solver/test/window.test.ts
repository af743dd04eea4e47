import { parseShape } from "@gridlock/game";
import { firstThreshold, nextThreshold } from "@gridlock/solver";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const quarters = (max: number) => fc.nat(max).map((n) => 4 * n);

describe("the thresholds asked of a board", () => {
  it("close in on its value, whatever true bounds come back", () => {
    fc.assert(
      fc.property(
        quarters(500),
        quarters(500),
        quarters(100),
        fc.infiniteStream(fc.nat(20)),
        (value, above, guess, slack) => {
          const ceiling = value + above;
          let bound = { lo: 0, hi: ceiling };
          for (let questions = 0; ; questions++) {
            const threshold = nextThreshold(bound, ceiling, guess);
            if (threshold === undefined) break;
            expect(threshold % 4).toBe(0);
            expect(threshold).toBeGreaterThan(bound.lo);
            expect(threshold).toBeLessThanOrEqual(bound.hi);
            expect(questions).toBeLessThan(1100);
            // A search proves its threshold or refutes it, and may prove more than was asked.
            const more = 4 * (slack.next().value as number);
            if (threshold <= value) bound = { ...bound, lo: Math.min(value, threshold + more) };
            else bound = { ...bound, hi: Math.max(value, threshold - 4 - more) };
          }
          expect(bound).toEqual({ lo: value, hi: value });
        },
      ),
    );
  });

  it("begin above the values of all starts that are known", () => {
    for (const [shape, highest] of [
      ["2x2", 12],
      ["2x3", 44],
      ["3x3", 184],
      ["2x5", 192],
    ] as const) {
      expect(firstThreshold({ shape: parseShape(shape), tiles: [2, 4] })).toBeGreaterThan(highest);
    }
    expect(firstThreshold({ shape: parseShape("2x3"), tiles: [2] })).toBe(516);
  });
});
