import { describe, expect, it } from "vitest";
import { gradient, gradientMasks } from "../src/gradient.js";
import { cellsOf } from "./boards.js";

describe("the gradient of Sildnes and Leitner", () => {
  it("has the masks of Figure 1 on 4x4", () => {
    const [nw, ne] = gradientMasks({ rows: 4, cols: 4 });
    expect(nw).toEqual([3, 2, 1, 0, 2, 1, 0, -1, 1, 0, -1, -2, 0, -1, -2, -3]);
    expect(ne).toEqual([0, 1, 2, 3, -1, 0, 1, 2, -2, -1, 0, 1, -3, -2, -1, 0]);
  });

  it("has masks whose opposites are their negatives on other shapes", () => {
    const [nw, ne] = gradientMasks({ rows: 2, cols: 3 });
    expect(nw).toEqual([1.5, 0.5, -0.5, 0.5, -0.5, -1.5]);
    expect(ne).toEqual([-0.5, 0.5, 1.5, -1.5, -0.5, 0.5]);
    for (const mask of [nw, ne]) {
      expect([...mask].reverse().map((number) => -number)).toEqual(mask);
    }
  });

  it("is the largest sum under any of the four", () => {
    const masks = gradientMasks({ rows: 4, cols: 4 });
    const corner = cellsOf("64 32 0 0/16 0 0 0/0 0 0 0/0 0 0 2");
    expect(gradient(masks, corner)).toBe(3 * 64 + 2 * 32 + 2 * 16 - 3 * 2);
    // The same board turned, so that another corner is the best.
    expect(gradient(masks, cellsOf("0 0 16 64/0 0 0 32/0 0 0 0/2 0 0 0"))).toBe(282);
    expect(gradient(masks, cellsOf("2 0 0 0/0 0 0 0/0 0 0 16/0 0 32 64"))).toBe(282);
    expect(gradient(masks, cellsOf("0 0 0 2/0 0 0 0/32 0 0 0/64 16 0 0"))).toBe(282);
  });
});
