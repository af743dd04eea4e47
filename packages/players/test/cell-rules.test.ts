import { DIRECTIONS, isEnd, slide } from "@gridlock/game";
import { CellRules, ILLEGAL } from "@gridlock/players";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isEnd as isEndOfCells } from "../src/cell-rules.js";
import { boardsOf, shapes } from "./boards.js";

describe("CellRules", () => {
  it("slides as the rules do, on any shape", () => {
    const boards = shapes(16).chain((shape) => fc.oneof(boardsOf(shape, 3), boardsOf(shape, 17)));
    fc.assert(
      fc.property(boards, (board) => {
        const cellRules = new CellRules(board);
        const cells = cellRules.cells(board);
        expect(cellRules.board(cells)).toEqual(board);
        const to = new Uint8Array(cellRules.size);
        for (const direction of DIRECTIONS) {
          const rules = slide(board, direction);
          expect(cellRules.slide(cells, direction, to)).toBe(rules?.score ?? ILLEGAL);
          expect(cellRules.board(to)).toEqual(rules?.board ?? board);
        }
        expect(isEndOfCells(cells, cellRules)).toBe(isEnd(board));
      }),
      { numRuns: 2000 },
    );
  });
});
