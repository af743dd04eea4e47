import {
  type Board,
  canonical,
  formatBoard,
  type Game,
  packBoard,
  parseShape,
  placements,
  slides,
  starts,
  type Tiles,
} from "@gridlock/game";
import { createTable, Kernel, tableLimits } from "@gridlock/kernel";
import { describe, expect, it } from "vitest";

/** Returns a function that decides by plain minimax whether the slider can force a tile. */
function forcing({ tiles }: Game, goal: number): (board: Board) => boolean {
  const known = new Map<string, boolean>();
  const slider = (board: Board): boolean => {
    const key = formatBoard(canonical(board));
    let forced = known.get(key);
    if (forced === undefined) {
      forced = slides(board).some(
        ({ board: after }) =>
          after.cells.includes(goal) ||
          placements(after, tiles).every((reply) => slider(reply.board)),
      );
      known.set(key, forced);
    }
    return forced;
  };
  return slider;
}

const GOALS: [shape: string, tiles: Tiles, goals: number[]][] = [
  ["1x5", [2, 4], [8, 16]],
  ["2x2", [2, 4], [8, 16]],
  ["2x2", [2], [8, 16, 32]],
  ["2x3", [2, 4], [8, 16, 32]],
  ["2x3", [2], [16, 32, 64, 128]],
];

describe.each(GOALS)("a tile as the goal on %s, tiles %j", (name, tiles, goals) => {
  const game = { shape: parseShape(name), tiles };

  it.each(goals)("%i is forced exactly where plain minimax forces it", (goal) => {
    const bytes = tableLimits(game, 1).least + 100_000;
    const table = createTable(game, Math.min(bytes, tableLimits(game, 1).most), 1, { goal });
    const kernel = new Kernel(table, 0);
    const isForced = forcing(game, goal);
    for (const board of starts(game.shape)) {
      const bound = kernel.ask({ turn: "slider", board: packBoard(canonical(board)) }, 4);
      expect(bound?.lo, formatBoard(board)).toBe(isForced(board) ? 4 : 0);
    }
  });
});
