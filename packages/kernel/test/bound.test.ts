import {
  type Board,
  canonical,
  formatBoard,
  packBoard,
  parseBoard,
  parseShape,
  placements,
  seededRandom,
  slides,
  type Tiles,
} from "@gridlock/game";
import { createTable, Kernel, tableLimits } from "@gridlock/kernel";
import { FALSE_BOUNDS, Oracle, TooLarge } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

function kernelFor(shape: { rows: number; cols: number }): Kernel {
  const game = { shape, tiles: [2, 4] } as const;
  return new Kernel(createTable(game, tableLimits(game, 1).least, 1), 0);
}

/**
 * Generates boards with few empty cells and few different tiles, so that much merges: hard cases.
 */
function* denseBoards(name: string, seed: number, count: number): Generator<Board> {
  const { rows, cols } = parseShape(name);
  const random = seededRandom(seed);
  for (let i = 0; i < count; i++) {
    const largest = 3 + Math.floor(3 * random());
    const cells = Array.from(
      { length: rows * cols },
      () => 2 ** (1 + Math.floor(largest * random())),
    );
    const empty = 1 + Math.floor(3 * random());
    for (let k = 0; k < empty; k++) cells[Math.floor(cells.length * random())] = 0;
    yield { rows, cols, cells };
  }
}

describe("the sound lower bound", () => {
  it.each(["2x4", "3x3", "2x5", "3x4", "2x6"])(
    "is forced by plain search from dense boards of %s",
    (name) => {
      const kernel = kernelFor(parseShape(name));
      let confirmed = 0;
      for (const board of denseBoards(name, 1, 200)) {
        const oracle = new Oracle({ shape: board, tiles: [2, 4] }, { mostNodes: 3000 });
        const earned = kernel.surelyEarned(packBoard(canonical(board)));
        if (earned === 0) continue;
        try {
          expect(oracle.forces(board, earned), formatBoard(board, "placer")).toBe(true);
          confirmed++;
        } catch (error) {
          if (!(error instanceof TooLarge)) throw error;
        }
      }
      expect(confirmed).toBeGreaterThan(50);
    },
  );

  it.each<readonly [afterstate: string, points: number]>([
    ...FALSE_BOUNDS,
    // Qiu's LBHSV as printed claims 60 here; the value is 12.
    ["8 2 4/16 2 0", 60],
  ])("of %s is less than %i, which the placer can prevent", (text, points) => {
    const { board } = parseBoard(`${text} placer`);
    expect(new Oracle({ shape: board, tiles: [2, 4] }).forces(board, points)).toBe(false);
    const normal = { rows: board.rows, cols: board.cols };
    expect(kernelFor(normal).surelyEarned(packBoard(canonical(board)))).toBeLessThan(points);
  });
});

describe("the end of the game with the next tile", () => {
  const ends = (board: Board, tiles: Tiles) =>
    placements(board, tiles).some((reply) => slides(reply.board).length === 0);

  it.each([
    ["1x5", [2, 4]],
    ["2x2", [2, 4]],
    ["2x2", [2]],
    ["2x3", [2, 4]],
    ["3x3", [2, 4]],
    ["3x3", [2]],
    ["2x7", [2, 4]],
    ["4x4", [2, 4]],
  ] as [string, Tiles][])("is foreseen exactly when it happens: %s, tiles %j", (name, tiles) => {
    const shape = parseShape(name);
    const game = { shape, tiles };
    const kernel = new Kernel(createTable(game, tableLimits(game, 1).least, 1), 0);
    const random = seededRandom(7);
    let foreseen = 0;
    for (let i = 0; i < 3000; i++) {
      // Alternating tiles, so that few neighbours are equal; some are changed, and a cell or two
      // are empty.
      const cells = Array.from({ length: shape.rows * shape.cols }, (_, at) => {
        const odd = (at % shape.cols) + Math.floor(at / shape.cols);
        return random() < 0.15 ? 2 ** (1 + Math.floor(3 * random())) : odd % 2 === 0 ? 2 : 8;
      });
      for (let k = 0; k < 1 + random(); k += 0.8) cells[Math.floor(cells.length * random())] = 0;
      const board = { ...shape, cells };
      const foreseeing = kernel.endsNext(packBoard(canonical(board)));
      expect(foreseeing, formatBoard(board, "placer")).toBe(ends(board, tiles));
      if (foreseeing) foreseen++;
    }
    expect(foreseen).toBeGreaterThan(30);
    expect(foreseen).toBeLessThan(2900);
  });
});
