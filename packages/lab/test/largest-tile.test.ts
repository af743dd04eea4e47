import {
  type Board,
  canonical,
  largestTileOn,
  type PackedBoard,
  packBoard,
  placements,
  slides,
  starts,
  type Tiles,
} from "@gridlock/game";
import { describe, expect, it } from "vitest";
import { gameOf } from "./plain.js";

/** Finds the largest tile on any board that legal play reaches from the starts of these tiles. */
function largestReached(shape: string, tiles: Tiles): number {
  const game = gameOf(shape, tiles);
  const seen = new Set<PackedBoard>();
  const isTile = (cell: number) => cell === 0 || tiles.some((tile) => tile === cell);
  const todo = starts(game.shape).filter(({ cells }) => cells.every(isTile));
  let largest = 0;
  for (let board = todo.pop(); board !== undefined; board = todo.pop()) {
    largest = Math.max(largest, largestTileOn(board));
    for (const { board: after } of slides(board)) {
      for (const { board: placed } of placements(after, tiles)) {
        const next: Board = canonical(placed);
        if (seen.has(packBoard(next))) continue;
        seen.add(packBoard(next));
        todo.push(next);
      }
    }
  }
  return largest;
}

describe("sleepycoder's theorem: the largest tile is 2^cells with 2s alone, and 2^(cells + 1) with 4s", () => {
  it.each([
    ["1x2", 2],
    ["1x3", 3],
    ["1x4", 4],
    ["1x5", 5],
    ["1x6", 6],
    ["2x2", 4],
    ["2x3", 6],
  ])("holds on %s, and the tile can be made", (shape, cells) => {
    expect(largestReached(shape, [2])).toBe(2 ** cells);
    expect(largestReached(shape, [2, 4])).toBe(2 ** (cells + 1));
  });
});
