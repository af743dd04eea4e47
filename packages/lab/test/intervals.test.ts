import { describe, expect, it } from "vitest";
import { differs, newcombe, standardErrorsApart, wilson } from "../src/players/intervals.js";

const share = (count: number, games: number) => ({ count, games });

describe("wilson", () => {
  // Newcombe 1998, "Two-sided confidence intervals for the single proportion", Table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])("gives the published interval of %i of %i", (count, games, least, most) => {
    const found = wilson(share(count, games));
    expect(found[0]).toBeCloseTo(least, 4);
    expect(found[1]).toBeCloseTo(most, 4);
  });

  it("stays within 0 and 1", () => {
    expect(wilson(share(0, 3))[0]).toBe(0);
    expect(wilson(share(3, 3))[1]).toBe(1);
  });
});

describe("newcombe", () => {
  // Newcombe 1998, "Interval estimation for the difference between independent proportions", Table
  // II, method 10.
  it.each([
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [6, 7, 2, 7, 0.0582, 0.8062],
    [5, 56, 0, 29, -0.0381, 0.1926],
    [0, 10, 0, 20, -0.1611, 0.2775],
    [0, 10, 0, 10, -0.2775, 0.2775],
    [10, 10, 0, 20, 0.6791, 1],
    [10, 10, 0, 10, 0.6075, 1],
  ])("gives the published interval of %i of %i less %i of %i", (a, m, b, n, least, most) => {
    const found = newcombe(share(a, m), share(b, n));
    expect(found[0]).toBeCloseTo(least, 4);
    expect(found[1]).toBeCloseTo(most, 4);
    expect(differs(share(a, m), share(b, n))).toBe(least > 0 || most < 0);
    const [back, front] = newcombe(share(b, n), share(a, m));
    expect([-front, -back]).toEqual([expect.closeTo(found[0], 12), expect.closeTo(found[1], 12)]);
  });
});

describe("standardErrorsApart", () => {
  it("divides the difference by the standard error of both", () => {
    expect(standardErrorsApart({ mean: 30, error: 3 }, { mean: 10, error: 4 })).toBe(4);
    expect(standardErrorsApart({ mean: 10, error: 4 }, { mean: 30, error: 3 })).toBe(-4);
  });
});
