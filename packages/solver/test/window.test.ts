import { parseShape } from "@gridlock/game";
import { estimate, firstGuess, nextThreshold, secondsLeft } from "@gridlock/solver";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const quarters = (max: number) => fc.nat(max).map((n) => 4 * n);

describe("the thresholds asked of a board", () => {
  it("converge to its value, whatever true bounds are returned", () => {
    fc.assert(
      fc.property(
        quarters(500),
        quarters(500),
        quarters(100),
        fc.infiniteStream(fc.nat(20)),
        quarters(50),
        (value, above, threshold, slack, step) => {
          const guess = { threshold, step };
          const ceiling = value + above;
          let bound = { lo: 0, hi: ceiling };
          for (let questions = 0; ; questions++) {
            const asked = nextThreshold(bound, ceiling, guess);
            if (asked === undefined) break;
            expect(asked % 4).toBe(0);
            expect(asked).toBeGreaterThan(bound.lo);
            expect(asked).toBeLessThanOrEqual(bound.hi);
            expect(questions).toBeLessThan(1100);
            // A search proves or refutes its threshold, and may prove more than asked.
            const more = 4 * (slack.next().value as number);
            if (asked <= value) bound = { ...bound, lo: Math.min(value, asked + more) };
            else bound = { ...bound, hi: Math.max(value, asked - 4 - more) };
          }
          expect(bound).toEqual({ lo: value, hi: value });
        },
      ),
    );
  });

  it("stay near the guess, or near a refuted one below it, whatever is known far away", () => {
    const ceiling = 851_972;
    expect(nextThreshold({ lo: 288, hi: ceiling }, ceiling, { threshold: 844, step: 100 })).toBe(
      844,
    );
    expect(nextThreshold({ lo: 288, hi: 1000 }, ceiling, { threshold: 844, step: 100 })).toBe(844);
    expect(nextThreshold({ lo: 288, hi: 812 }, ceiling, { threshold: 844, step: 100 })).toBe(796);
    expect(nextThreshold({ lo: 800, hi: 812 }, ceiling, { threshold: 844, step: 100 })).toBe(808);
    expect(nextThreshold({ lo: 848, hi: 1000 }, ceiling, { threshold: 844, step: 100 })).toBe(928);
  });

  it("begin above the values of all starts, if these are known and take time", () => {
    for (const [shape, highest] of [
      ["3x3", 184],
      ["2x5", 192],
      ["2x6", 448],
      ["3x4", 552],
      ["2x7", 588],
    ] as const) {
      const { threshold } = firstGuess({ shape: parseShape(shape), tiles: [2, 4] });
      expect(threshold).toBeGreaterThan(highest);
    }
    expect(firstGuess({ shape: parseShape("2x3"), tiles: [2] }).threshold).toBe(516);
  });
});

describe("the seconds left of a search", () => {
  const shape = parseShape("3x4");
  const { nodes } = estimate(shape);

  it("are those of the estimated nodes at its rate", () => {
    expect(secondsLeft(shape, nodes / 4, nodes / 100)).toBeCloseTo(75);
    expect(secondsLeft(shape, nodes, nodes / 100)).toBeCloseTo(5); // it may need more nodes
  });

  it.each([
    ["at its beginning", nodes / 200, 1000],
    ["past its estimate", nodes * 1.01, 1000],
    ["without a rate", nodes / 4, 0],
  ])("are not known %s", (_, searched, rate) => {
    expect(secondsLeft(shape, searched, rate)).toBeUndefined();
  });
});
