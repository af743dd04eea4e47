import {
  type Board,
  canonical,
  DIRECTIONS,
  emptyCells,
  formatBoard,
  isEnd,
  isStart,
  linesToward,
  parseBoard,
  placements,
  slide,
  slideLine,
  slides,
  starts,
  tileSum,
} from "@gridlock/game";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyBoard } from "./boards.js";

const board = (text: string) => parseBoard(text).board;

describe("sliding a line", () => {
  it.each([
    [[0, 0, 0, 0], [0, 0, 0, 0], 0],
    [[0, 0, 0, 2], [2, 0, 0, 0], 0],
    [[2, 0, 0, 2], [4, 0, 0, 0], 4],
    [[2, 2, 2, 2], [4, 4, 0, 0], 8],
    [[2, 2, 4, 0], [4, 4, 0, 0], 4],
    [[4, 2, 2, 0], [4, 4, 0, 0], 4],
    [[2, 2, 2, 0], [4, 2, 0, 0], 4],
    [[8, 4, 2, 2], [8, 4, 4, 0], 4],
  ])("%j becomes %j and earns %i", (line, slid, score) => {
    expect(slideLine(line)).toEqual({ line: slid, score });
  });
});

describe("slides", () => {
  it("move tiles to the wall that they are named after", () => {
    const start = board("0 0 0/0 2 0/0 0 0");
    const after = Object.fromEntries(slides(start).map((s) => [s.direction, s.board.cells]));
    expect(after).toEqual({
      up: [0, 2, 0, 0, 0, 0, 0, 0, 0],
      left: [0, 0, 0, 2, 0, 0, 0, 0, 0],
      down: [0, 0, 0, 0, 0, 0, 0, 2, 0],
      right: [0, 0, 0, 0, 0, 2, 0, 0, 0],
    });
  });

  it("are legal only if the board changes", () => {
    expect(slide(board("2 4/0 0"), "up")).toBeUndefined();
    expect(slide(board("2 4/0 0"), "left")).toBeUndefined();
    expect(slides(board("2 4/0 0")).map((s) => s.direction)).toEqual(["down"]);
  });

  it("are over when the board is full and no neighbours are equal", () => {
    expect(isEnd(board("2 4/8 2"))).toBe(true);
    expect(isEnd(board("2 4/2 8"))).toBe(false);
    expect(isEnd(board("2 4/8 0"))).toBe(false);
    expect(isEnd(board("0 0/0 0"))).toBe(true);
  });

  it("keep the tile sum, and earn only by merging", () => {
    fc.assert(
      fc.property(anyBoard, (before) => {
        for (const { board: after, score } of slides(before)) {
          expect(tileSum(after)).toBe(tileSum(before));
          const merges = emptyCells(after).length - emptyCells(before).length;
          expect(merges).toBeGreaterThanOrEqual(0);
          expect(score > 0).toBe(merges > 0);
          expect(score % 4).toBe(0);
        }
      }),
    );
  });

  it("visit every cell exactly once", () => {
    fc.assert(
      fc.property(anyBoard, fc.constantFrom(...DIRECTIONS), (any, direction) => {
        const visited = linesToward(any, direction).flat();
        expect([...visited].sort((a, b) => a - b)).toEqual(any.cells.map((_, i) => i));
      }),
    );
  });
});

describe("placements", () => {
  it("put each tile into each empty cell", () => {
    expect(
      placements(board("2 0/0 8"), [2, 4]).map(({ tile, cell, board: b }) => [tile, cell, b.cells]),
    ).toEqual([
      [2, 1, [2, 2, 0, 8]],
      [4, 1, [2, 4, 0, 8]],
      [2, 2, [2, 0, 2, 8]],
      [4, 2, [2, 0, 4, 8]],
    ]);
    expect(placements(board("2 0/0 8"), [2])).toHaveLength(2);
  });

  it("raise the tile sum by the tile", () => {
    fc.assert(
      fc.property(anyBoard, (before) => {
        for (const { tile, board: after } of placements(before, [2, 4])) {
          expect(tileSum(after)).toBe(tileSum(before) + tile);
        }
      }),
    );
  });
});

describe("a start", () => {
  it("is a position whose canonical image is in the list of starts", () => {
    const listed = new Set(starts({ rows: 2, cols: 2 }).map((start) => formatBoard(start)));
    const tiles = [0, 2, 4, 8];
    for (let code = 0; code < 4 ** 4; code++) {
      const cells = [0, 1, 2, 3].map((cell) => tiles[(code >> (2 * cell)) & 3] as number);
      const any: Board = { rows: 2, cols: 2, cells };
      const isListed = listed.has(formatBoard(canonical(any)));
      expect(isStart({ board: any, turn: "slider" }), formatBoard(any)).toBe(isListed);
      expect(isStart({ board: any, turn: "placer" })).toBe(false);
    }
  });
});
