import { DIRECTIONS, isEnd, slide } from "@gridlock/game";
import { Grid, ILLEGAL } from "@gridlock/players";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isEnd as isEndOfCells } from "../src/grid.js";
import { boardsOf, shapes } from "./boards.js";

describe("Grid", () => {
  it("slides as the rules do, on any shape", () => {
    const boards = shapes(16).chain((shape) => fc.oneof(boardsOf(shape, 3), boardsOf(shape, 17)));
    fc.assert(
      fc.property(boards, (board) => {
        const grid = new Grid(board);
        const cells = grid.cells(board);
        expect(grid.board(cells)).toEqual(board);
        const to = new Uint8Array(grid.size);
        for (const direction of DIRECTIONS) {
          const rules = slide(board, direction);
          expect(grid.slide(cells, direction, to)).toBe(rules?.score ?? ILLEGAL);
          expect(grid.board(to)).toEqual(rules?.board ?? board);
        }
        expect(isEndOfCells(cells, grid)).toBe(isEnd(board));
      }),
      { numRuns: 2000 },
    );
  });
});
