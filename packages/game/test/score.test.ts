import {
  boundByRules,
  canonical,
  fewestPoints,
  isOpenAbove,
  largestTile,
  largestTileSum,
  mergeBounds,
  mostPoints,
  mostPointsToCome,
  type PackedBoard,
  packBoard,
  parseBoard,
  parseShape,
  placements,
  slides,
  starts,
} from "@gridlock/game";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyBoard } from "./boards.js";

describe("Qiu's Table 1", () => {
  it.each([
    [2, 0, 0],
    [4, 0, 4],
    [8, 8, 16],
    [16, 32, 48],
    [32, 96, 128],
    [64, 256, 320],
    [128, 640, 768],
    [256, 1536, 1792],
  ])("a tile of %i has earned %i to %i points", (tile, fewest, most) => {
    expect(fewestPoints(tile)).toBe(fewest);
    expect(mostPoints(tile)).toBe(most);
  });
});

describe("an upper bound", () => {
  it("is no result if it is about what the rules give, unless it is the value", () => {
    const { board } = parseBoard("2 2 0/0 0 0/0 0 0");
    const { hi } = boundByRules({ board, turn: "slider" });
    for (const most of [hi, hi - 4, hi - 36]) {
      expect(isOpenAbove({ lo: 184, hi: most }, board)).toBe(true);
    }
    expect(isOpenAbove({ lo: 184, hi: hi - 40 }, board)).toBe(false);
    expect(isOpenAbove({ lo: hi, hi }, board)).toBe(false);
  });
});

describe("limits", () => {
  it("of tiles and sums are reached and never exceeded by all play on 2×2", () => {
    for (const tiles of [[2, 4], [2]] as const) {
      const game = { shape: { rows: 2, cols: 2 }, tiles };
      const boards = new Map<PackedBoard, ReturnType<typeof canonical>>();
      const todo = starts(game.shape);
      for (let board = todo.pop(); board !== undefined; board = todo.pop()) {
        for (const after of slides(board)) {
          for (const next of placements(after.board, tiles)) {
            const form = canonical(next.board);
            if (boards.has(packBoard(form))) continue;
            boards.set(packBoard(form), form);
            todo.push(form);
          }
        }
      }
      const largest = Math.max(...[...boards.values()].flatMap(({ cells }) => cells));
      expect(largest).toBe(largestTile(game));
    }
    expect(largestTile({ shape: { rows: 1, cols: 2 }, tiles: [2] })).toBe(8);
    expect(largestTileSum(parseShape("3x3"))).toBe(2044);
  });

  it("of the points to come fall by the points of a slide, and never rise", () => {
    fc.assert(
      fc.property(anyBoard, (board) => {
        for (const after of slides(board)) {
          expect(mostPointsToCome(after.board)).toBe(mostPointsToCome(board) - after.score);
        }
        for (const next of placements(board, [2, 4])) {
          expect(mostPointsToCome(next.board)).toBeLessThanOrEqual(mostPointsToCome(board));
        }
      }),
    );
  });
});

describe("bounds", () => {
  const anyBound = fc
    .tuple(fc.nat(400), fc.nat(400))
    .map(([a, b]) => ({ lo: Math.min(a, b), hi: Math.max(a, b) }));

  it("form a lattice: merging is commutative, associative and idempotent", () => {
    fc.assert(
      fc.property(anyBound, anyBound, anyBound, (a, b, c) => {
        expect(mergeBounds(a, b)).toEqual(mergeBounds(b, a));
        expect(mergeBounds(mergeBounds(a, b), c)).toEqual(mergeBounds(a, mergeBounds(b, c)));
        expect(mergeBounds(a, a)).toEqual(a);
      }),
    );
  });

  it("are 0 at an end state, by the rules alone", () => {
    expect(boundByRules(parseBoard("2 4/8 2"))).toEqual({ lo: 0, hi: 0 });
    expect(boundByRules(parseBoard("2 2/0 0")).hi).toBe(mostPoints(4) + 16 + 48 + 128);
  });
});

describe("starts up to symmetry", () => {
  it.each([
    ["1x2", 3],
    ["2x2", 6],
    ["2x3", 20],
    ["3x2", 20],
    ["3x3", 28],
    ["2x6", 75],
    ["3x4", 80],
  ])("of %s number %i", (shape, count) => {
    const boards = starts(parseShape(shape));
    expect(boards).toHaveLength(count);
    for (const board of boards) expect(canonical(board)).toEqual(board);
  });
});
