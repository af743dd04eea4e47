import { parseBoard } from "@gridlock/game";
import { describe, expect, it } from "vitest";
import { heuristicOf as evaluate } from "../src/line-sums.js";
import { zakyTerms } from "../src/zaky.js";
import { cellsOf } from "./boards.js";
import { makePlayer } from "./made.js";

function heuristicOf(text: string, ...parts: string[]) {
  const { board } = parseBoard(text);
  return evaluate(board, zakyTerms(board, new Set(parts)))(cellsOf(text));
}

const choicesOf = async (name: string, text: string) => {
  const player = await makePlayer(name, { shape: parseBoard(text).board });
  return player.choose(cellsOf(text)).map(({ direction }) => direction);
};

/** 4 empty cells; neighbours differ by 2 and 4 in rows, 0 and 12 in columns; a 4 is inside. */
const BOARD = "2 4 8/0 4 0/0 16 0";

describe("Zaky's heuristic", () => {
  it("is A·E − B·D − C·P", () => {
    // 2-4 and 4-8 in row 1, 4-4 and 4-16 in column 2.
    expect(heuristicOf(BOARD)).toBe(4096 * 4 - 10 * (2 + 4 + 0 + 12) - 10 * 4);
  });

  it("penalises tiles in the middle of 4x4 by their distance to the border", () => {
    expect(heuristicOf("0 0 0 0/0 8 0 0/0 0 2 0/0 0 0 0")).toBe(4096 * 14 - 10 * (8 + 2));
  });

  it("has the program's variants", () => {
    expect(heuristicOf(BOARD, "sum")).toBe(heuristicOf(BOARD) + 34);
    // The pairs of row 1 are left out, those of column 2 are not.
    expect(heuristicOf(BOARD, "inner")).toBe(heuristicOf(BOARD) + 60);
    expect(heuristicOf(BOARD, "corner")).toBe(heuristicOf(BOARD));
    expect(heuristicOf(BOARD, "edge")).toBe(heuristicOf(BOARD) + 2048);
    const corners = "16 0 0/0 0 0/16 16 0";
    const added = (...parts: string[]) => heuristicOf(corners, ...parts) - heuristicOf(corners);
    expect(added("corner")).toBe(2 * 4096);
    expect(added("corner", "edge")).toBe(2 * 4096 + 2048);
  });
});

describe("Zaky's players", () => {
  it("choose the first of the best slides in the order up, right, down, left", async () => {
    // Left and right are mirror images, up and down too, and all leave 8 on a border.
    for (const name of ["zaky-minimax:1", "zaky-expectimax:1"]) {
      expect(await choicesOf(name, "0 0 0/0 8 0/0 0 0")).toEqual(["up"]);
      expect(await choicesOf(name, "0 8 0/0 0 0/0 0 0")).toEqual(["right"]);
    }
  });

  it("slide at random if minimax sees every slide lose", async () => {
    // Each slide leaves one empty cell, and a 2 or a 4 there ends the game.
    expect(await choicesOf("zaky-minimax:2", "2 8/16 0")).toEqual(["down", "right"]);
    // The program does not see it at the horizon.
    expect(await choicesOf("zaky-minimax:2:leaves", "2 8/16 0")).toHaveLength(1);
  });

  it("choose alike on shapes with lines too long for tables", async () => {
    for (const name of ["zaky-minimax:2", "zaky-expectimax:1"]) {
      expect(await choicesOf(name, "2 2 4 8 16 32/")).toEqual(["right"]);
    }
  });
});
