import {
  emptyCells,
  formatBoard,
  formatPlacement,
  formatShape,
  formatTiles,
  largestTileSum,
  parseBoard,
  parseShape,
  parseTiles,
  tileSum,
} from "@gridlock/game";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyBoard, errorOf, SHAPES } from "./boards.js";

/** Boards that the notation accepts. */
const readable = anyBoard.filter(
  (board) =>
    tileSum(board) <= Math.min(largestTileSum(board), 65_534) &&
    board.cells.every((tile) => tile <= 2 ** (board.cells.length + 1)),
);

describe("boards", () => {
  it("are read row by row", () => {
    expect(parseBoard("2 0 0/0 4 0/0 0 0")).toEqual({
      board: { rows: 3, cols: 3, cells: [2, 0, 0, 0, 4, 0, 0, 0, 0] },
      turn: "slider",
    });
    expect(parseBoard("  2 0 / 0 16  placer ").turn).toBe("placer");
    expect(parseBoard("2 0/0 16 slider").turn).toBe("slider");
    expect(formatBoard(parseBoard("2 0 4/ placer").board, "placer")).toBe("2 0 4/ placer");
  });

  it("survive being written and read again", () => {
    fc.assert(
      fc.property(
        readable,
        fc.constantFrom("slider" as const, "placer" as const),
        (board, turn) => {
          fc.pre(turn === "slider" || emptyCells(board).length > 0);
          expect(parseBoard(formatBoard(board, turn))).toEqual({ board, turn });
        },
      ),
    );
  });

  it.each([
    ["", "no-board"],
    ["a b/c d", "bad-board"],
    ["2", "one-row"],
    ["2 2 2 2 2/2 2 2 2 2/2 2 2 2 2/2 2 2 2 2", "bad-board"],
    ["2 1/0 0", "bad-tile"],
    ["1 1/0 0", "bad-tile"],
    ["1000000000 0/0 0", "bad-tile"],
    ["2 64/0 0", "bad-tile"],
    ["2 0 0/0 2", "ragged-board"],
    ["32 32/0 0", "impossible-board"],
    ["32768 32768 0 0/0 0 0 0/0 0 0 0/0 0 0 0", "impossible-board"],
    ["2 4/8 16 placer", "full-afterstate"],
  ])("reject %j as %s, with what was given and what was expected", (text, code) => {
    const error = errorOf(() => parseBoard(text));
    expect(error.code).toBe(code);
    expect(error.message.length).toBeGreaterThan(30);
  });

  it("may have fewer tiles than a start", () => {
    expect(parseBoard("0 0/0 0").board.cells).toEqual([0, 0, 0, 0]);
    expect(parseBoard("0 0/0 2 placer").turn).toBe("placer");
  });
});

describe("shapes and tiles", () => {
  it("are written as they are read", () => {
    for (const shape of SHAPES) expect(parseShape(formatShape(shape))).toEqual(shape);
    for (const tiles of ["2", "2,4"]) expect(formatTiles(parseTiles(tiles))).toBe(tiles);
    expect(parseShape("3×4")).toEqual({ rows: 3, cols: 4 });
  });

  it.each(["3x", "x3", "3", "", "9x9", "0x3", "1x1", "17x1", "3x3x3", "-3x3", "3.5x2"])(
    "reject the shape %j",
    (text) => {
      expect(errorOf(() => parseShape(text)).code).toBe("bad-shape");
    },
  );

  it.each(["3", "1", "1e9", "", "2,8", "4", "2;4"])("reject the tiles %j", (text) => {
    expect(errorOf(() => parseTiles(text)).code).toBe("bad-tiles");
  });
});

describe("placements", () => {
  it("are named by tile, row and column", () => {
    const { board } = parseBoard("2 0 0/0 4 0");
    expect(formatPlacement(board, { tile: 4, cell: 5 })).toBe("4@2,3");
  });
});
