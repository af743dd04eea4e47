import {
  type Board,
  canonical,
  cellCount,
  DIRECTIONS,
  packBoard,
  packedHalves,
  type Shape,
  slide,
} from "@gridlock/game";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CellRules, cellsOf, ILLEGAL, packEight } from "../../src/v1/cells.js";

function boardFrom({ rows, cols }: Shape, exponents: readonly number[]): Board {
  return { rows, cols, cells: exponents.map((exponent) => (exponent === 0 ? 0 : 2 ** exponent)) };
}

/** Compares the slides and the canonical form of a board with those of `game`. */
function compare(board: Board): void {
  const rules = CellRules.of(board);
  const cells = cellsOf(board);
  const slid = new Uint8Array(cells.length).fill(255);
  DIRECTIONS.forEach((direction, i) => {
    const points = rules.slide(cells, rules.directions[i] as number[][], slid);
    const expected = slide(board, direction);
    expect(points).toBe(expected?.score ?? ILLEGAL);
    if (expected !== undefined) expect(slid).toEqual(cellsOf(expected.board));
  });
  expect(cells).toEqual(cellsOf(board)); // it is unchanged
  const order = rules.canonicalOrder(cells);
  const halves = [packEight(cells, order, 8), packEight(cells, order, 0)];
  expect(halves).toEqual(packedHalves(packBoard(canonical(board))));
}

describe("the rules on cells", () => {
  it("are those of the game on all boards of 1×4 and 2×2 with tiles up to 8", () => {
    for (const shape of [
      { rows: 1, cols: 4 },
      { rows: 2, cols: 2 },
    ]) {
      for (let number = 0; number < 4 ** 4; number++) {
        compare(
          boardFrom(
            shape,
            [0, 2, 4, 6].map((bits) => (number >> bits) & 3),
          ),
        );
      }
    }
  });

  it("are those of the game on any board of any shape", () => {
    const shapes = fc
      .record({ rows: fc.integer({ min: 1, max: 16 }), cols: fc.integer({ min: 1, max: 16 }) })
      .filter(({ rows, cols }) => rows * cols >= 2 && rows * cols <= 16);
    const boards = shapes.chain((shape) => {
      const length = cellCount(shape);
      const exponents = (max: number) =>
        fc.array(fc.nat(max), { minLength: length, maxLength: length });
      // Few kinds of tiles, so that many merge and images differ late, or all that can be packed.
      return fc.oneof(exponents(2), exponents(15)).map((list) => boardFrom(shape, list));
    });
    fc.assert(
      fc.property(boards, (board) => compare(board)),
      { numRuns: 500 },
    );
  });
});
