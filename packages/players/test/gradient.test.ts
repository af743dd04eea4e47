import { describe, expect, it } from "vitest";
import { CellBoards } from "../src/boards.js";
import { slideCells } from "../src/cell-rules.js";
import { gradientOn } from "../src/gradient.js";
import { cellsOf } from "./boards.js";
import { gradientMasks } from "./heuristics.js";

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
    const shape = { rows: 4, cols: 4 };
    const boards = new CellBoards(shape, slideCells, 1);
    const horizon = gradientOn(boards);
    const gradient = (text: string) => {
      boards.load(cellsOf(text));
      return horizon.value(0);
    };
    const corner = "64 32 0 0/16 0 0 0/0 0 0 0/0 0 0 2";
    expect(gradient(corner)).toBe(3 * 64 + 2 * 32 + 2 * 16 - 3 * 2);
    // The same board turned, so that another corner is the best.
    expect(gradient("0 0 16 64/0 0 0 32/0 0 0 0/2 0 0 0")).toBe(282);
    expect(gradient("2 0 0 0/0 0 0 0/0 0 0 16/0 0 32 64")).toBe(282);
    expect(gradient("0 0 0 2/0 0 0 0/32 0 0 0/64 16 0 0")).toBe(282);
  });
});
