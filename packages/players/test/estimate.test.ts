import { parseBoard, slide } from "@gridlock/game";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CellRules, ILLEGAL } from "../src/cell-rules.js";
import { ESTIMATE_TERMS, slideWithGaps } from "../src/estimate.js";
import { heuristicOf } from "../src/line-sums.js";
import { boardsOf, cellsOf, shapes } from "./boards.js";
import { makePlayer } from "./made.js";

const estimate = (text: string) =>
  heuristicOf(parseBoard(text).board, ESTIMATE_TERMS)(cellsOf(text));

describe("sleepycoder's program", () => {
  it("estimates four times the sum less the differences of neighbours, doubled", () => {
    // Differences to the right 2, 4, 8, 8; to the next row 2, 4, 0: empty cells count as 0.
    expect(estimate("2 4 0/0 8 0")).toBe(2 * (4 * 14 - (2 + 4 + 8 + 8 + 2 + 4 + 0)));
    expect(estimate("2 4/")).toBe(2 * (24 - 2));
  });

  it("does not count the last column and the next row as neighbours", () => {
    expect(estimate("0 8/0 0")).toBe(2 * (32 - 16));
  });

  it("does not merge tiles with a gap in its variant", () => {
    const shape = { rows: 1, cols: 6 };
    const to = new Uint8Array(6);
    const slid = (text: string, direction: "left" | "right") => {
      const score = slideWithGaps(shape, cellsOf(text), direction, to);
      return [score, to.join(" ")];
    };
    expect(slid("2 0 2 2 0 0/", "left")).toEqual([4, "1 2 0 0 0 0"]);
    expect(slid("2 2 0 2 2 2/", "right")).toEqual([8, "0 0 0 2 1 2"]);
    expect(slid("2 4 0 0 0 0/", "left")).toEqual([ILLEGAL, "1 2 0 0 0 0"]);
  });

  it("has the same legal slides in the variant", () => {
    const boards = shapes(6).chain((shape) => boardsOf(shape, 3));
    fc.assert(
      fc.property(boards, fc.constantFrom("up", "left", "down", "right"), (board, direction) => {
        const cellRules = new CellRules(board);
        const to = new Uint8Array(cellRules.size);
        const score = slideWithGaps(board, cellRules.cells(board), direction, to);
        const rules = slide(board, direction);
        expect(score === ILLEGAL).toBe(rules === undefined);
        expect(score).toBeLessThanOrEqual(rules?.score ?? ILLEGAL);
        expect(cellRules.board(to).cells.reduce((a, b) => a + b)).toBe(
          board.cells.reduce((a, b) => a + b),
        );
      }),
    );
  });

  it("chooses the first of the best slides in the order left, down, right, up", async () => {
    const choose = async (text: string) => {
      const player = await makePlayer("estimate", { shape: parseBoard(text).board });
      return player.choose(cellsOf(text)).map(({ direction }) => direction);
    };
    expect(await choose("0 0 0/0 2 0/0 0 0")).toEqual(["left"]);
    expect(await choose("0 0/2 0")).toHaveLength(1);
  });
});
