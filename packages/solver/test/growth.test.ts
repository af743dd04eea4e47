import { Growth } from "@gridlock/solver";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const law = (exponent: number) => (threshold: number) => ({
  threshold,
  nodes: Math.round(1e-3 * threshold ** exponent),
  seconds: 1,
  answered: true,
});

describe("the growth of a question's cost", () => {
  it("is the law that the costs of small thresholds follow", () => {
    const growth = new Growth([80, 100, 124, 156].map(law(4.8)));
    expect(growth.exponent).toBeCloseTo(4.8, 2);
    expect(growth.nodes(156) / law(4.8)(156).nodes).toBeCloseTo(1, 2);
    expect(growth.nodes(312) / law(4.8)(312).nodes).toBeCloseTo(1, 2);
    expect(growth.threshold(growth.nodes(300) + 1)).toBe(300);
  });

  it("is fitted to the last thresholds", () => {
    const growth = new Growth([...[8, 16, 24].map(law(3)), ...[100, 124, 156].map(law(5))]);
    expect(growth.exponent).toBeCloseTo(5, 2);
  });

  it("counts what a question has cost that is not answered yet", () => {
    const asked = [100, 124, 156].map(law(5));
    const nodes = 3 * law(5)(300).nodes;
    const growth = new Growth([...asked, { threshold: 300, nodes, seconds: 1, answered: false }]);
    expect(growth.nodes(300)).toBeGreaterThan(1.4 * nodes);
    expect(new Growth(asked).nodes(300)).toBeLessThan(nodes);
    expect(new Growth(asked).nodes(300)).toBeGreaterThan(nodes / 3);
  });

  it("gives a threshold that so many nodes answer, and the next one takes more, with any table", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e5, max: 1e12, noNaN: true }),
        fc.integer({ min: 1000, max: 1e9 }),
        fc.double({ min: 2.5, max: 6, noNaN: true }),
        (nodes, entries, exponent) => {
          const growth = new Growth([100, 124, 156].map(law(exponent)), entries);
          const threshold = growth.threshold(nodes);
          expect(growth.nodes(threshold)).toBeLessThanOrEqual(1.001 * nodes);
          expect(growth.nodes(threshold + 4)).toBeGreaterThan(0.999 * nodes);
          expect(growth.threshold(nodes, "for all")).toBeGreaterThanOrEqual(threshold);
        },
      ),
    );
  });

  it("is steeper where the table has no room for all entries", () => {
    const asked = [100, 124, 156].map(law(5));
    const small = new Growth(asked, 1e8);
    expect(small.nodes(156)).toBeCloseTo(new Growth(asked).nodes(156), -3);
    expect(small.nodes(400)).toBeGreaterThan(1.5 * new Growth(asked).nodes(400));
    expect(small.threshold(1e10, "for all")).toBeGreaterThan(small.threshold(1e10));
  });
});
